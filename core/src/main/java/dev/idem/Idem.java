package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.Plan;
import dev.idem.internal.runtime.Nanos;
import dev.idem.spi.Ledger;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The entry point: runs each action once for its key, and gives every later call the same value.
 *
 * <pre>{@code
 * try (Idem idem = Idem.open("sqlite:idem.db")) {
 *     String receipt = idem.operation("charge")
 *             .identity(Map.of("order", "o-7", "cents", 4200))
 *             .returning(String.class)
 *             .run(call -> payments.charge("o-7", 4200, call.key()));
 * }
 * }</pre>
 *
 * <p>Thread-safe: open one instance for the whole program and close it at the end. No action runs while the ledger
 * can't be reached: calls then throw a {@link LedgerUnavailableException}. {@link IdemBuilder} and {@link Policy}
 * state the defaults.
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

    /** Opens Idem on a ledger that the caller has opened. Closing this instance leaves the ledger open. */
    public static Idem on(Ledger ledger) {
        return builder().ledger(ledger).open();
    }

    /** A builder for an instance with other settings. */
    public static IdemBuilder builder() {
        return new IdemBuilder();
    }

    /** Begins to declare a call of the operation with this name. The name is part of every key: do not rename it. */
    public Operation<@Nullable Object> operation(String name) {
        return new Operation<>(engine, defaults.withOperation(name));
    }

    /**
     * Runs the action once for this key; every later call gets the same value. The entry is in the scope {@code default}
     * under the operation {@code execute_once}.
     *
     * @param key any text that stays the same over retries. A text that can't be a key is hashed, and stays readable in
     *     the label {@code id}
     * @param type the type of the result, which is stored as text, bytes or JSON
     * @throws X the exception of the action
     * @throws IdemException when there is no value to return; the message says why and what to do next
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
        return new Operation<>(engine, defaults.withOperation("execute_once").withId(id));
    }

    /** The present entry of an operation; empty where there is none or it has expired. */
    public Optional<Entry> find(Address address) {
        return ledger.find(address);
    }

    /**
     * Begins to resolve an entry by hand, after a person has found out whether the effect took place.
     *
     * @param seen the entry that the person looked at, from {@link #find} or from a page of the ledger
     */
    public Resolution resolve(Entry seen) {
        return new Resolution(engine, seen, defaults.policy().retention().keep());
    }

    /**
     * Removes an entry, so that its key may run again.
     *
     * @param seen the entry that the caller looked at, from {@link #find} or from a page of the ledger
     * @return false when nothing was removed: an attempt is running, the entry is absent, or the entry has changed
     *     since the caller looked at it (a new grant, a resolution, a completion, or a doubt in place of a failure)
     */
    public boolean forget(Entry seen) {
        try {
            return ledger.forget(seen);
        } finally {
            engine.dropFromNearCache(seen.address());
        }
    }

    /**
     * The ledger, for its optional capabilities: {@code ledger().as(Browsable.class)} lists entries ({@link
     * dev.idem.spi.browse.Browsable}), {@code ledger().as(Historied.class)} gives the trail of an entry ({@link
     * dev.idem.spi.browse.Historied}).
     */
    public Ledger ledger() {
        return ledger;
    }

    /** Counters of this instance since it was opened. */
    public Counts counts() {
        return engine.counts();
    }

    /**
     * Refuses new calls, waits for running calls ({@link IdemBuilder#closeWait}, 10 s by default), and closes the
     * ledger if this instance opened it.
     */
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
