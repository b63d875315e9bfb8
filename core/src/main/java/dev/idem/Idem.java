package dev.idem;

import dev.idem.internal.Engine;
import dev.idem.internal.Ids;
import dev.idem.internal.Nanos;
import dev.idem.internal.Plan;
import dev.idem.spi.Ledger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Makes actions take effect once: run it twice, get the same result.
 *
 * <p>One instance serves all threads of a program and is opened for as long as calls are made. Nothing runs when the
 * ledger can't be reached.
 */
public final class Idem implements AutoCloseable {
    private final Engine engine;
    private final Ledger ledger;
    private final Plan defaults;
    private final boolean ownsLedger;
    private final Duration closeWait;

    Idem(Engine engine, Ledger ledger, Plan defaults, boolean ownsLedger, Duration closeWait) {
        this.engine = engine;
        this.ledger = ledger;
        this.defaults = defaults;
        this.ownsLedger = ownsLedger;
        this.closeWait = closeWait;
    }

    /**
     * Opens Idem on the ledger a URL names: {@code memory:}, {@code sqlite:idem.db}. Closing it closes the ledger.
     *
     * @throws IllegalArgumentException when the URL is malformed or its ledger is not on the class path
     * @throws dev.idem.LedgerException when the ledger can't be opened
     */
    public static Idem open(String ledgerUrl) {
        return builder().ledger(ledgerUrl).open();
    }

    /** Opens Idem on a ledger that the caller opened and will close. */
    public static Idem on(Ledger ledger) {
        return builder().ledger(ledger).open();
    }

    /** A builder for an instance with other settings. */
    public static IdemBuilder builder() {
        return new IdemBuilder();
    }

    /** A call of the operation with this name. The name is a stable id: renaming it changes keys. */
    public Operation<@Nullable Object> operation(String name) {
        Plan plan = defaults.copy();
        plan.operation = name;
        return new Operation<>(engine, plan);
    }

    /**
     * Runs the action once for this key; every later call gets the same value.
     *
     * @param key any id that the caller keeps over retries; one that can't be a key is digested, and kept readable in
     *     the label {@code id}
     * @param type of the result, which is stored as text, bytes or JSON
     */
    public <T, X extends Exception> T executeOnce(String key, Class<T> type, Action<? extends T, X> action) throws X {
        return withId(key).returning(type).run(action);
    }

    /** Runs the action once for this key; the value comes back as text, bytes, maps and lists. */
    public <X extends Exception> @Nullable Object executeOnce(String key, Action<? extends @Nullable Object, X> action)
            throws X {
        return withId(key).run(action);
    }

    private Operation<@Nullable Object> withId(String id) {
        Plan plan = Ids.with(defaults, id);
        plan.operation = "execute_once";
        return new Operation<>(engine, plan);
    }

    /** The entry of an operation as it counts now. */
    public Optional<Entry> find(Address address) {
        return ledger.find(address);
    }

    /**
     * Settles an entry by a person's word, once somebody has found out whether the effect took place.
     *
     * @param seen the entry that was looked at, as {@link #find} or a page of the ledger gave it
     */
    public Resolution resolve(Entry seen) {
        return new Resolution(engine, seen, defaults.policy.retention().keep());
    }

    /**
     * Removes an entry, so that its key may run again.
     *
     * @param seen the entry that was looked at, as {@link #find} or a page of the ledger gave it
     * @return false when a ticket lives, the entry is absent, or it has been granted anew, resolved or completed since it
     *     was looked at, or is in doubt where it was seen as failed
     */
    public boolean forget(Entry seen) {
        try {
            return ledger.forget(seen);
        } finally {
            engine.dropFromNearCache(seen.address());
        }
    }

    /** The ledger, for browsing and for its optional capabilities. */
    public Ledger ledger() {
        return ledger;
    }

    /** What has happened since this was opened. */
    public Counts counts() {
        return engine.counts();
    }

    /** Refuses new calls, waits a while for running ones to settle, and closes the ledger if it was opened here. */
    @Override
    public void close() {
        long end = System.nanoTime() + Nanos.of(closeWait);
        engine.refuseCalls();
        boolean interrupted = false;
        while (engine.running() > 0 && System.nanoTime() - end < 0) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(this, 1_000_000);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        engine.close();
        if (ownsLedger) {
            ledger.close();
        }
    }
}
