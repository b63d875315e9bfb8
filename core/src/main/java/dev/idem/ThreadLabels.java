package dev.idem;

import dev.idem.internal.AmbientLabels;
import dev.idem.spi.Labels;
import java.util.Map;

/**
 * Labels for the entries of all calls that a thread makes, through any {@link Idem}: whose run they belong to, which
 * request they serve. A label that a call gives itself wins. {@link Operation#runAsync} takes them along.
 *
 * <pre>{@code
 * try (ThreadLabels inside = ThreadLabels.enter(Map.of("request", "req-7"))) {
 *     idem.operation("charge").key("k1").run(call -> ...);
 * }
 * }</pre>
 */
public final class ThreadLabels implements AutoCloseable {
    private final Map<String, String> before;
    private boolean closed;

    private ThreadLabels(Map<String, String> before) {
        this.before = before;
    }

    /** The labels of this thread. */
    public static Map<String, String> current() {
        return AmbientLabels.current();
    }

    /**
     * Sets the labels of this thread, all of them, until what it gives is closed in the same thread.
     *
     * @param labels instead of the {@linkplain #current() current} ones
     * @throws IllegalArgumentException for what {@link Operation#label} would not take
     */
    public static ThreadLabels enter(Map<String, String> labels) {
        labels.forEach(Labels::require);
        return new ThreadLabels(AmbientLabels.swap(Map.copyOf(labels)));
    }

    /** The task, with the labels that this thread has now, in whichever thread it runs later. */
    public static Runnable carry(Runnable task) {
        Map<String, String> labels = AmbientLabels.current();
        return () -> AmbientLabels.inside(labels, task);
    }

    /** Puts back the labels there were. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            AmbientLabels.swap(before);
        }
    }
}
