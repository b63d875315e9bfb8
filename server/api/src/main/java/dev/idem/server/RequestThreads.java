package dev.idem.server;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that answer requests: as many as there are requests, up to a limit. */
public final class RequestThreads {
    private static final int MOST = 256;
    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ThreadPoolExecutor threads;

    public RequestThreads() {
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                0, MOST, IDLE.toMillis(), TimeUnit.MILLISECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, "idem-serve-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
    }

    /** Answers a request in a thread of its own; throws {@link ApiException} if too many are running. */
    public void execute(Runnable request) {
        try {
            threads.execute(request);
        } catch (RejectedExecutionException e) {
            throw new ApiException(
                    ApiError.BUSY,
                    MOST
                            + " requests are running, or the server is ending. Send this one again later. Nothing was done",
                    e);
        }
    }

    /** Takes no more requests, and gives those that are running some time. */
    public void end(Duration longest) throws InterruptedException {
        threads.shutdown();
        threads.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
    }
}
