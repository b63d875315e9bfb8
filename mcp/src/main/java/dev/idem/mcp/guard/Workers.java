package dev.idem.mcp.guard;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The threads of a guard. They are daemons. */
public final class Workers {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int MOST_CALLS = 200;
    private static final long IDLE_SECONDS = 30;

    private Workers() {}

    public static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "idem-mcp");
        thread.setDaemon(true);
        return thread;
    }

    /** Threads for calls, which hold one until they have their answer. Further calls wait without a thread, in order. */
    public static ExecutorService forCalls() {
        ThreadPoolExecutor calls = new ThreadPoolExecutor(
                MOST_CALLS, MOST_CALLS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Workers::daemon);
        calls.allowCoreThreadTimeOut(true);
        return calls;
    }

    /** Threads for work that calls may wait for, so that it never waits for a call. */
    public static ExecutorService forOthers() {
        return Executors.newCachedThreadPool(Workers::daemon);
    }

    public static void awaitAll(Stream<CompletableFuture<Void>> ends, Duration longest) {
        try {
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
                    .get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "requests were still open at the end", e);
        }
    }
}
