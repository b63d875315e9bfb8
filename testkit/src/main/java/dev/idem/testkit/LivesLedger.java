package dev.idem.testkit;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.store.MemoryLedger;
import java.time.Duration;
import java.util.Optional;

/** The ledger of an agent that dies and is restarted: its claims belong to the current process. */
final class LivesLedger implements Ledger {
    private final AgentWorld world;
    private volatile MemoryLedger ledger =
            new MemoryLedger(new LedgerContext(new SettableClocks(), new SettableProcesses()));

    LivesLedger(AgentWorld world) {
        this.world = world;
    }

    void replace(MemoryLedger empty) {
        ledger = empty;
    }

    @Override
    public Claim claim(ClaimRequest request) {
        ClaimRequest mine = new ClaimRequest(
                request.attemptId(),
                request.address(),
                request.fingerprints(),
                request.parent(),
                request.labels(),
                world.owner(),
                request.lease(),
                request.timeLimit(),
                request.staged(),
                request.takeOver(),
                request.grace(),
                request.repeat());
        String what = "the claim of " + named(request.address());
        world.step("before " + what, false);
        Claim claim = ledger.claim(mine);
        world.step("after " + what, false);
        return claim;
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        String what = "the mark '" + mark.name() + "' of " + named(ticket.address());
        world.step("before " + what, false);
        boolean marked = ledger.mark(ticket, mark);
        world.step("after " + what, false);
        return marked;
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        String what = "the settle of " + named(ticket.address());
        world.step("before " + what, false);
        Settled settled = ledger.settle(ticket, how);
        world.step("after " + what, false);
        return settled;
    }

    /** Called by a thread that outlives the simulated process, and must not end with it. */
    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return !world.died() && ledger.renew(ticket, lease);
    }

    @Override
    public Optional<Entry> find(Address address) {
        world.requireAlive();
        return ledger.find(address);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        world.requireAlive();
        return ledger.resolve(address, seen, how);
    }

    @Override
    public boolean forget(Entry seen) {
        world.requireAlive();
        return ledger.forget(seen);
    }

    /** Browsable only. Waiters poll, because the inner ledger is another one in every run. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        return capability == Browsable.class ? ledger.as(capability) : Ledger.super.as(capability);
    }

    private static String named(Address address) {
        return "'" + address.operation() + "'";
    }

    @Override
    public String describe() {
        return "memory, of an agent that is checked";
    }

    @Override
    public void close() {}
}
