package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Settled;
import dev.idem.spi.StoreLedger;
import java.time.Duration;
import java.util.Optional;

/** A JSONL ledger whose file the tests can look at. */
record TestLedger(JsonlStore store, StoreLedger ledger) implements Ledger {
    static TestLedger on(JsonlStore store, LedgerContext context) {
        return new TestLedger(store, new StoreLedger(store, context.processes()));
    }

    LedgerFile file() {
        return store.file();
    }

    Browsable browsable() {
        return ledger.as(Browsable.class).orElseThrow();
    }

    /** Writes down the replays that were counted in memory only. */
    void writeReplays() {
        browsable().stats();
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return ledger.claim(request);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return ledger.renew(ticket, lease);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        return ledger.mark(ticket, mark);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return ledger.settle(ticket, how);
    }

    @Override
    public Optional<Entry> find(Address address) {
        return ledger.find(address);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return ledger.resolve(address, seen, how);
    }

    @Override
    public boolean forget(Entry seen) {
        return ledger.forget(seen);
    }

    @Override
    public <C> Optional<C> as(Class<C> capability) {
        return ledger.as(capability);
    }

    @Override
    public String describe() {
        return ledger.describe();
    }

    @Override
    public void close() {
        ledger.close();
    }
}
