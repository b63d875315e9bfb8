package dev.idem.agent.guard;

import dev.idem.spi.Ledger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop guard: it stops a model that repeats itself or uses too much. The third call with the same arguments within
 * eight calls is stopped before it runs. Immutable and thread-safe: every method returns a new guard, and one guard may
 * serve all sessions.
 *
 * <pre>{@code
 * LoopGuard guard = LoopGuard.standard()
 *         .mayRepeat("job_status")
 *         .tool("search", Limits.none().calls(20));
 * Session session = Session.builder(idem).id(task).tools(tools).loopGuard(guard).open();
 * }</pre>
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

    /**
     * Sets the size of the window, in calls, the new one included; 8 by default.
     *
     * @throws IllegalArgumentException if it is less than 2, or less than the threshold
     */
    public LoopGuard window(int calls) {
        return with(copy -> copy.window = atLeast(2, "window", calls));
    }

    /**
     * Sets which identical call in the window is stopped; the 3rd by default.
     *
     * @throws IllegalArgumentException if it is less than 2, or more than the window
     */
    public LoopGuard threshold(int times) {
        return with(copy -> copy.threshold = atLeast(2, "threshold", times));
    }

    /** Names tools that may be called again and again, such as one that polls a job. Limits still hold. */
    public LoopGuard mayRepeat(String... tools) {
        return with(copy -> {
            Set<String> all = new HashSet<>(copy.exempt);
            all.addAll(Arrays.asList(tools));
            copy.exempt = Set.copyOf(all);
        });
    }

    /** Sets the limits of all calls of a session together; none by default. */
    public LoopGuard session(Limits limits) {
        return with(copy -> copy.session = limits);
    }

    /** Sets the limits of the calls of one tool; none by default. */
    public LoopGuard tool(String tool, Limits limits) {
        return with(copy -> {
            Map<String, Limits> all = new HashMap<>(copy.tools);
            all.put(tool, limits);
            copy.tools = Map.copyOf(all);
        });
    }

    /**
     * Counts in a ledger, so that a session is counted across restarts and processes. It costs two round trips a call.
     * By default each process counts in memory.
     */
    public LoopGuard countersIn(Ledger ledger) {
        return with(copy -> copy.ledger = ledger);
    }

    /** Sets the monotonic clock, in nanoseconds; for tests. */
    public LoopGuard nanos(LongSupplier clock) {
        return with(copy -> copy.nanos = clock);
    }

    /**
     * Watches a session. Without a ledger, each watch counts for itself.
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
