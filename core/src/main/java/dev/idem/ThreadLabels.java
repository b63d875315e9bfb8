package dev.idem;

import dev.idem.internal.call.AmbientLabels;
import dev.idem.spi.Labels;
import java.util.Map;

/**
 * Labels for the entries of all calls of the current thread, through any {@link Idem}: for instance the id of the
 * request that the thread serves. Default: none. A call's own label wins over a thread's label of the same name.
 * {@link Operation#runAsync} carries the labels to its thread.
 *
 * <pre>{@code
 * try (ThreadLabels inside = ThreadLabels.enter(Map.of("request", "req-7"))) {
 *     idem.operation("charge").key("k1").run(call -> ...);
 * }
 * }</pre>
 *
 * <p>The static methods are thread-safe. Close an instance in the thread that entered it.
 */
public final class ThreadLabels implements AutoCloseable {
    private final Map<String, String> before;
    private boolean closed;

    private ThreadLabels(Map<String, String> before) {
        this.before = before;
    }

    /** The labels of the current thread; empty by default. */
    public static Map<String, String> current() {
        return AmbientLabels.current();
    }

    /**
     * Replaces all labels of the current thread until the returned object is closed.
     *
     * @param labels the new labels, instead of the {@linkplain #current() current} ones
     * @throws IllegalArgumentException for a label that {@link Operation#label} would refuse
     */
    public static ThreadLabels enter(Map<String, String> labels) {
        labels.forEach(Labels::require);
        return new ThreadLabels(AmbientLabels.swap(Map.copyOf(labels)));
    }

    /** Wraps a task so that it runs with the present labels of this thread, in any thread. */
    public static Runnable carry(Runnable task) {
        Map<String, String> labels = AmbientLabels.current();
        return () -> AmbientLabels.inside(labels, task);
    }

    /** Restores the previous labels of the thread. A second close does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            AmbientLabels.swap(before);
        }
    }
}
