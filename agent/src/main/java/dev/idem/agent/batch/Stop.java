package dev.idem.agent.batch;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The reason why no more items are started. The first reason counts. */
final class Stop {
    private record Cause(String reason, @Nullable Throwable thrown) {}

    private final AtomicReference<@Nullable Cause> cause = new AtomicReference<>();

    void because(String reason) {
        cause.compareAndSet(null, new Cause(reason, null));
    }

    /** Throws the exception that stopped the run, if there is one. */
    void because(Throwable thrown) {
        if (!cause.compareAndSet(null, new Cause(String.valueOf(thrown), thrown))) {
            Throwable first = thrown();
            if (first != null && !first.equals(thrown)) {
                first.addSuppressed(thrown);
            }
        }
    }

    boolean stopped() {
        return cause.get() != null;
    }

    /** In words; empty when nothing has stopped it. */
    String reason() {
        Cause first = cause.get();
        return first == null ? "" : first.reason();
    }

    void rethrow() {
        Throwable thrown = thrown();
        if (thrown instanceof Error error) {
            throw error;
        } else if (thrown instanceof RuntimeException unchecked) {
            throw unchecked;
        }
    }

    private @Nullable Throwable thrown() {
        Cause first = cause.get();
        return first == null ? null : first.thrown();
    }
}
