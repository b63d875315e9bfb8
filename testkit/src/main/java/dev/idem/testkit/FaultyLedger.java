package dev.idem.testkit;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One process's handle on a ledger, with injected faults: calls that are not sent, answers that are lost, a process
 * that dies in the middle.
 *
 * <pre>{@code
 * FaultyLedger ledger = new FaultyLedger(shared).onHalt(() -> processes.kill(owner));
 * ledger.fail(Point.AFTER_SETTLE);   // the next settle is done, and its answer is lost
 * ledger.halt(Point.BEFORE_SETTLE);  // the one after that is never sent: the process ends
 * }</pre>
 *
 * Faults at one point are used in their order, one for each call.
 */
public final class FaultyLedger implements Ledger {
    /** The points of a fault: before a call is sent, or after it, when only its answer is lost. */
    public enum Point {
        BEFORE_CLAIM,
        AFTER_CLAIM,
        BEFORE_RENEW,
        AFTER_RENEW,
        BEFORE_MARK,
        AFTER_MARK,
        BEFORE_SETTLE,
        AFTER_SETTLE,
        BEFORE_FIND,
        AFTER_FIND,
        BEFORE_RESOLVE,
        AFTER_RESOLVE,
        BEFORE_FORGET,
        AFTER_FORGET
    }

    private final Ledger ledger;
    private final Map<Point, Deque<Runnable>> faults = new EnumMap<>(Point.class);
    private final Map<Point, Integer> passed = new EnumMap<>(Point.class);
    private Runnable onHalt = () -> {};
    private @Nullable String haltedAt;
    private boolean down;

    /** A handle on a ledger that other handles may share. */
    public FaultyLedger(Ledger ledger) {
        this.ledger = ledger;
    }

    /** Also runs this action when the process ends, for instance to tell {@link SettableProcesses}. */
    public synchronized FaultyLedger onHalt(Runnable action) {
        onHalt = action;
        return this;
    }

    /** The next call gets no answer at this point. */
    public FaultyLedger fail(Point point) {
        return at(point, () -> {
            throw new LedgerUnavailableException("no answer, by order, at " + point, null);
        });
    }

    /** The next calls get no answer at this point. */
    public FaultyLedger fail(Point point, int times) {
        for (int i = 0; i < times; i++) {
            fail(point);
        }
        return this;
    }

    /** The process ends at this point of the next call; it and all later calls throw {@link Halted}. */
    public FaultyLedger halt(Point point) {
        return at(point, () -> halt(point.name()));
    }

    /** Runs an action at this point of the next call: time passes, another process claims, a gate opens. */
    public synchronized FaultyLedger at(Point point, Runnable happening) {
        faults.computeIfAbsent(point, at -> new ArrayDeque<>()).add(happening);
        return this;
    }

    /** Ends the process now. */
    public void halt(String where) {
        Runnable action;
        synchronized (this) {
            haltedAt = where;
            action = onHalt;
        }
        action.run();
        throw new Halted(where);
    }

    /** Fails all calls until {@link #up()}. */
    public synchronized FaultyLedger down() {
        down = true;
        return this;
    }

    /** Ends {@link #down()}. */
    public synchronized FaultyLedger up() {
        down = false;
        return this;
    }

    /** The number of calls that have reached this point. */
    public synchronized int passed(Point point) {
        return passed.getOrDefault(point, 0);
    }

    private void pass(Point point) {
        Runnable fault;
        synchronized (this) {
            requireRunning();
            if (down) {
                throw new LedgerUnavailableException("the ledger is down, by order", null);
            }
            passed.merge(point, 1, Integer::sum);
            Deque<Runnable> ordered = faults.get(point);
            fault = ordered == null ? null : ordered.poll();
        }
        if (fault != null) {
            fault.run();
        }
    }

    private synchronized void requireRunning() {
        if (haltedAt != null) {
            throw new Halted(haltedAt);
        }
    }

    private <A> A call(Point before, Supplier<A> call, Point after) {
        pass(before);
        A answer = call.get();
        pass(after);
        return answer;
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return call(Point.BEFORE_CLAIM, () -> ledger.claim(request), Point.AFTER_CLAIM);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return call(Point.BEFORE_RENEW, () -> ledger.renew(ticket, lease), Point.AFTER_RENEW);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        return call(Point.BEFORE_MARK, () -> ledger.mark(ticket, mark), Point.AFTER_MARK);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return call(Point.BEFORE_SETTLE, () -> ledger.settle(ticket, how), Point.AFTER_SETTLE);
    }

    @Override
    public Optional<Entry> find(Address address) {
        return call(Point.BEFORE_FIND, () -> ledger.find(address), Point.AFTER_FIND);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return call(Point.BEFORE_RESOLVE, () -> ledger.resolve(address, seen, how), Point.AFTER_RESOLVE);
    }

    @Override
    public boolean forget(Entry seen) {
        return call(Point.BEFORE_FORGET, () -> ledger.forget(seen), Point.AFTER_FORGET);
    }

    /** Capabilities of the ledger behind it; grouped renewal passes the points of a renewal. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        requireRunning();
        Optional<C> found = ledger.as(capability);
        if (capability == GroupRenewing.class && found.isPresent()) {
            GroupRenewing renewing = (GroupRenewing) found.get();
            GroupRenewing faulty =
                    leases -> call(Point.BEFORE_RENEW, () -> renewing.renewAll(leases), Point.AFTER_RENEW);
            return Optional.of(capability.cast(faulty));
        }
        return found;
    }

    @Override
    public String describe() {
        return "faulty " + ledger.describe();
    }

    /** Closes nothing: the ledger behind it belongs to the test, and other handles may share it. */
    @Override
    public void close() {}
}
