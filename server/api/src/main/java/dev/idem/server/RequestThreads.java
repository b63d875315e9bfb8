package dev.idem.server;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The threads that answer requests: as many as there are requests, up to a limit. A client has a share of them, and a request
 * beyond it never gets one: a crowd of one client would fill them all while it is being refused.
 */
public final class RequestThreads {
    /** All who have shown no token. */
    public static final String STRANGERS = "those without a token";

    private static final int MOST = 256;
    private static final int MOST_OF_STRANGERS = 32;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final Budget requests = new Budget("requests at a time", MOST, MOST * 3 / 4);
    private final Budget strangers =
            new Budget("requests at a time without a token", MOST_OF_STRANGERS, MOST_OF_STRANGERS);
    private final ThreadPoolExecutor threads;

    public RequestThreads() {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "idem-serve-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Answers a request in a thread of its own; throws {@link ApiException} if too many are running. A client that is null needs no share. */
    public void execute(@Nullable String client, Runnable request) {
        Budget.Place place = (STRANGERS.equals(client) ? strangers : requests).require(client);
        try {
            threads.execute(() -> {
                try (place) {
                    request.run();
                }
            });
        } catch (RejectedExecutionException e) {
            place.close();
            throw new ApiException(
                    ApiError.BUSY, "the server is ending; ask another one, or start it again. Nothing was done", e);
        }
    }

    /** Takes no more requests, and gives those that are running some time. */
    public void end(Duration longest) throws InterruptedException {
        threads.shutdown();
        threads.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
    }
}
