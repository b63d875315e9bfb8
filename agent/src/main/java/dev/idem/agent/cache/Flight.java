package dev.idem.agent.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A load that is under way. */
final class Flight {
    private final CompletableFuture<Slot> landed = new CompletableFuture<>();
    private final Thread leader = Thread.currentThread();

    void land(Slot slot) {
        landed.complete(slot);
    }

    void crash(Throwable thrown) {
        landed.completeExceptionally(thrown);
    }

    /** What the leader gets: the value, or the same exception. */
    @Nullable
    Object await(String tool) throws Exception {
        if (leader == Thread.currentThread()) {
            throw new IllegalStateException(
                    "the load for '" + tool + "' waits for itself: it asks the cache for what it is about to load");
        }
        try {
            return landed.get().value();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e.getCause() instanceof Exception exception ? exception : e;
        }
    }
}
