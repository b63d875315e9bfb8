package dev.idem.mcp;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The threads of a guard. They are daemons. */
final class Workers {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");

    private Workers() {}

    static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "idem-mcp");
        thread.setDaemon(true);
        return thread;
    }

    /** As many threads as there is work. */
    static ExecutorService forOthers() {
        return Executors.newCachedThreadPool(Workers::daemon);
    }

    static void awaitAll(Stream<CompletableFuture<Void>> ends, Duration longest) {
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
