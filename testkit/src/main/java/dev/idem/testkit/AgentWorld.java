package dev.idem.testkit;

import dev.idem.Idem;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.store.MemoryLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The world of an agent whose retry safety is checked: an Idem for it to use, and effects that take place and are
 * counted. See {@link RetrySafety}.
 *
 * <p>An agent gets {@link #idem()} instead of its own Idem, and its tools call {@link #act} where they would call a
 * provider. The process may die at each of these calls.
 */
public final class AgentWorld implements AutoCloseable {
    private static final Duration BETWEEN_LIVES = Duration.ofMinutes(10);

    private final SettableClocks clocks = new SettableClocks();
    private final SettableProcesses processes = new SettableProcesses();
    private final LivesLedger ledger = new LivesLedger(this);
    private final Idem idem = Idem.builder()
            .ledger(ledger)
            .quiet()
            .purgeEvery(Duration.ZERO)
            .closeWait(Duration.ZERO)
            .open();
    private final Map<String, Integer> effects = new LinkedHashMap<>();
    private final Map<String, String> remembered = new HashMap<>();
    private Owner owner = processes.startOwner();
    private Fault fault = Fault.NONE;
    private int steps;
    private boolean dead;
    private @Nullable String struckAt;

    /** A world without effects. */
    public AgentWorld() {}

    /**
     * The fault of a run.
     *
     * @param step the step at which it happens, counted from 1; 0 for none
     * @param loses whether the answer to an effect is lost there; otherwise the process dies
     */
    record Fault(int step, boolean loses) {
        static final Fault NONE = new Fault(0, false);
    }

    /** The Idem of the agent, for all its runs. */
    public Idem idem() {
        return idem;
    }

    /** Performs an effect, at every call, and returns a receipt. */
    public String act(String effect) {
        return take(effect, null);
    }

    /** Performs an effect at a provider that detects duplicates by key; returns the receipt of the first. */
    public String act(String effect, String key) {
        return take(effect, key);
    }

    /** The receipt of an effect that has taken place, as a probe would find it. */
    public synchronized Optional<String> lookUp(String effect) {
        requireAlive();
        return effects.containsKey(effect) ? Optional.of(receipt(effect, 1)) : Optional.empty();
    }

    private String take(String effect, @Nullable String key) {
        step("before the effect '" + effect + "'", false);
        String receipt;
        synchronized (this) {
            String known = key == null ? null : remembered.get(effect + "\n" + key);
            receipt = known != null ? known : receipt(effect, effects.merge(effect, 1, Integer::sum));
            if (key != null) {
                remembered.put(effect + "\n" + key, receipt);
            }
        }
        step("after the effect '" + effect + "'", true);
        return receipt;
    }

    private static String receipt(String effect, int number) {
        return effect + " #" + number;
    }

    /** Called before and after each event; injects the fault if it is due at this step. */
    void step(String where, boolean afterAnEffect) {
        boolean lost;
        synchronized (this) {
            requireAlive();
            steps++;
            if (steps != fault.step() || (fault.loses() && !afterAnEffect)) {
                return;
            }
            lost = fault.loses();
            struckAt = where;
            if (!lost) {
                die();
            }
        }
        if (lost) {
            throw new UncheckedIOException(new IOException("the response was lost, by order, " + where));
        }
        throw new Halted(where);
    }

    private void die() {
        dead = true;
        processes.kill(owner);
    }

    /** Stops code of a process that has died. */
    synchronized void requireAlive() {
        if (dead) {
            throw new Halted(String.valueOf(struckAt));
        }
    }

    synchronized Owner owner() {
        return owner;
    }

    synchronized boolean died() {
        return dead;
    }

    /** Resets the world and sets the next fault. */
    synchronized void beginAnew(Fault ordered) {
        ledger.replace(new MemoryLedger(new LedgerContext(clocks, processes)));
        effects.clear();
        remembered.clear();
        fault = ordered;
        steps = 0;
        struckAt = null;
        nextLife();
    }

    /** Starts the next process of the agent, after the time limits of the last one. */
    synchronized void nextLife() {
        processes.kill(owner);
        clocks.advance(BETWEEN_LIVES);
        owner = processes.startOwner();
        dead = false;
    }

    synchronized int steps() {
        return steps;
    }

    /** The place of the fault; null if there was none. */
    synchronized @Nullable String struckAt() {
        return struckAt;
    }

    synchronized Map<String, Integer> effects() {
        return new LinkedHashMap<>(effects);
    }

    @Override
    public void close() {
        idem.close();
    }
}
