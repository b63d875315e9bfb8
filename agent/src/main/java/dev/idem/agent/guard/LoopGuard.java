package dev.idem.agent.guard;

import dev.idem.spi.Ledger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a session are held to. Immutable: every method gives a new one, and one may serve all sessions.
 *
 * <p>A call that is asked for the third time with the same arguments within eight calls is stopped before it runs.
 */
public final class LoopGuard {
    private final Settings settings;

    private LoopGuard(Settings settings) {
        this.settings = settings;
    }

    /** A window of 8, a threshold of 3, no other limits, counters in memory. */
    public static LoopGuard standard() {
        return new LoopGuard(new Settings());
    }

    /** How many calls of a session are looked back on, the new one included; 8 unless told. */
    public LoopGuard window(int calls) {
        return with(copy -> copy.window = atLeast(2, "window", calls));
    }

    /** The how-manieth identical call in the window is stopped; the 3rd unless told. */
    public LoopGuard threshold(int times) {
        return with(copy -> copy.threshold = atLeast(2, "threshold", times));
    }

    /** Tools that are meant to be called again and again, such as one that asks how a job is going. Limits still hold. */
    public LoopGuard mayRepeat(String... tools) {
        return with(copy -> {
            Set<String> all = new HashSet<>(copy.exempt);
            all.addAll(Set.of(tools));
            copy.exempt = Set.copyOf(all);
        });
    }

    /** What all calls of a session may use together. */
    public LoopGuard session(Limits limits) {
        return with(copy -> copy.session = limits);
    }

    /** What the calls of one tool may use together. */
    public LoopGuard tool(String tool, Limits limits) {
        return with(copy -> {
            Map<String, Limits> all = new HashMap<>(copy.tools);
            all.put(tool, limits);
            copy.tools = Map.copyOf(all);
        });
    }

    /**
     * Counts in a ledger, so that a session that is restarted, or runs in several processes, is counted as one. Costs
     * two round trips a call.
     */
    public LoopGuard countersIn(Ledger ledger) {
        return with(copy -> copy.ledger = ledger);
    }

    /** The monotonic clock, in nanoseconds. */
    public LoopGuard nanos(LongSupplier clock) {
        return with(copy -> copy.nanos = clock);
    }

    /**
     * Watches a session. Without a ledger to count in, what one watch has counted no other knows.
     *
     * @param session a name without control characters, at most 255 long
     */
    public LoopWatch watch(String session) {
        Ledger ledger = settings.ledger;
        return new LoopWatch(settings, ledger == null ? Counters.MEMORY : new LedgerCounters(ledger, session));
    }

    private LoopGuard with(Consumer<Settings> change) {
        Settings copy = settings.copy();
        change.accept(copy);
        if (copy.threshold > copy.window) {
            throw new IllegalArgumentException("a window of " + copy.window + " calls never holds the same call "
                    + copy.threshold + " times; widen it first");
        }
        return new LoopGuard(copy);
    }

    private static int atLeast(int least, String what, int number) {
        if (number < least) {
            throw new IllegalArgumentException("the " + what + " is at least " + least + ", not " + number);
        }
        return number;
    }

    /** Written only while a copy is being made. */
    static final class Settings implements Cloneable {
        int window = 8;
        int threshold = 3;
        Set<String> exempt = Set.of();
        Limits session = Limits.none();
        Map<String, Limits> tools = Map.of();

        @Nullable
        Ledger ledger;

        LongSupplier nanos = System::nanoTime;

        Settings copy() {
            try {
                return (Settings) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
