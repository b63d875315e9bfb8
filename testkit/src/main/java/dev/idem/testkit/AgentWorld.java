package dev.idem.testkit;

import dev.idem.Idem;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.MemoryLedger;
import dev.idem.spi.Owner;
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
 * provider. Everything that it does through either may be where its process dies.
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

    /** A world in which nothing has happened. */
    public AgentWorld() {}

    /**
     * What goes wrong in a run.
     *
     * @param step at which step, counted from 1; 0 for nowhere
     * @param loses whether the answer to an effect gets lost there, instead of the process dying
     */
    record Fault(int step, boolean loses) {
        static final Fault NONE = new Fault(0, false);
    }

    /** The Idem of the agent, in whichever of its lives. */
    public Idem idem() {
        return idem;
    }

    /** An effect takes place, every time; gives a receipt. */
    public String act(String effect) {
        return take(effect, null);
    }

    /** An effect at a provider that tells duplicates by the key it is handed; gives the receipt of the first. */
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

    /** Something is about to happen, or just has: the place for the fault that is ordered here. */
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

    /** What belongs to a process that has died does nothing any more. */
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

    /** Everything from the beginning, with something to go wrong. */
    synchronized void beginAnew(Fault ordered) {
        ledger.replace(new MemoryLedger(new LedgerContext(clocks, processes)));
        effects.clear();
        remembered.clear();
        fault = ordered;
        steps = 0;
        struckAt = null;
        nextLife();
    }

    /** The agent is started again, when whatever its last life has begun is over. */
    synchronized void nextLife() {
        processes.kill(owner);
        clocks.advance(BETWEEN_LIVES);
        owner = processes.startOwner();
        dead = false;
    }

    synchronized int steps() {
        return steps;
    }

    /** Where something went wrong; null when nothing did. */
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
