package dev.idem.agent.coalesce;

import dev.idem.agent.internal.SingleFlight;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Lets concurrent calls with the same key share one call. Nothing is kept once it has ended: the next call runs again.
 * Thread-safe.
 *
 * <pre>{@code
 * Coalescer<String> llm = Coalescer.create();
 * String answer = llm.call(LlmKey.of("some-model", messages, Map.of()), () -> client.complete(messages));
 * }</pre>
 *
 * <p>The call runs in a thread of its own, so a caller that is interrupted or gives up does not harm the others. When
 * the last caller has left, the call is interrupted.
 *
 * @param <T> the result of the calls; one coalescer serves one kind of call
 */
public final class Coalescer<T extends @Nullable Object> {
    private final SingleFlight<String, T> flights;

    private Coalescer(Executor executor) {
        this.flights = new SingleFlight<>(executor);
    }

    /**
     * A coalescer that runs its calls in this executor.
     *
     * @param executor gives each call a thread, never the thread of the caller. A caller gets the exception of an
     *     executor that refuses a call
     */
    public static <T extends @Nullable Object> Coalescer<T> on(Executor executor) {
        return new Coalescer<>(executor);
    }

    /** A coalescer that runs each call in a daemon thread of its own. */
    public static <T extends @Nullable Object> Coalescer<T> create() {
        return on(task -> {
            Thread thread = new Thread(task, "idem-coalesce");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /**
     * Makes the call, or waits for the running call with the same key.
     *
     * @throws InterruptedException if this caller is interrupted; the other callers go on waiting
     * @throws IllegalStateException if the call is made from inside the call with the same key
     * @throws Exception that the call throws; all callers that share it get the same one
     */
    public T call(String key, Callable<? extends T> work) throws Exception {
        return flights.call(key, work);
    }

    /** Like {@link #call}, without waiting. A caller leaves by cancelling the future, or when it times out. */
    public CompletableFuture<T> start(String key, Callable<? extends T> work) {
        return flights.start(key, work);
    }

    /** The counts since the coalescer was created. */
    public CoalesceStats stats() {
        SingleFlight.Counts counts = flights.counts();
        return new CoalesceStats(
                counts.calls(),
                counts.started(),
                counts.shared(),
                counts.failures(),
                counts.left(),
                counts.cancelled());
    }
}
