package dev.idem.server.http;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells when the server can't go on: when the heap stays full for a while after each collection, or a thread has ended for want of memory.
 * One large answer is neither: it ends, and an error of its own request is told to its client.
 */
public final class HeapWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(HeapWatch.class.getName());
    private static final Duration FULL_FOR = Duration.ofSeconds(30);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
    private static final double FULL = 0.95;

    private final BooleanSupplier full;
    private final LongSupplier clock;
    private final Consumer<String> end;
    private final Thread thread = new Thread(this::watch, "idem-heap");
    private final Thread.@Nullable UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    private long since;
    private boolean wasFull;

    HeapWatch(BooleanSupplier full, LongSupplier clock, Consumer<String> end) {
        this.full = full;
        this.clock = clock;
        this.end = end;
    }

    /** Looks at this process from now on; says once why it must end. */
    public static HeapWatch start(Consumer<String> end) {
        HeapWatch watch = new HeapWatch(HeapWatch::isFull, System::nanoTime, end);
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (failure instanceof OutOfMemoryError) {
                end.accept("a thread (" + thread.getName() + ") has ended for want of memory: " + failure.getMessage());
            } else {
                LOG.log(System.Logger.Level.ERROR, "the thread " + thread.getName() + " has ended", failure);
            }
        });
        watch.thread.setDaemon(true);
        watch.thread.start();
        return watch;
    }

    /** Asks for a collection first where it seems so: the last one may be long ago. */
    private static boolean isFull() {
        Runtime runtime = Runtime.getRuntime();
        if (runtime.totalMemory() - runtime.freeMemory() < FULL * runtime.maxMemory() && usedAfterCollection() < FULL) {
            return false;
        }
        System.gc();
        return usedAfterCollection() >= FULL;
    }

    /** The part of the old generation that the last collection has left. */
    private static double usedAfterCollection() {
        double most = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            MemoryUsage usage = pool.getType() == MemoryType.HEAP ? pool.getCollectionUsage() : null;
            if (usage != null && usage.getMax() > Runtime.getRuntime().maxMemory() / 2) {
                most = Math.max(most, (double) usage.getUsed() / usage.getMax());
            }
        }
        return most;
    }

    private void watch() {
        try {
            while (!mustEnd()) {
                Thread.sleep(LOOK_EVERY.toMillis());
            }
            end.accept("the heap has been full after each collection for " + FULL_FOR.toSeconds() + " seconds");
        } catch (InterruptedException e) {
            // It is closed.
        }
    }

    boolean mustEnd() {
        if (!looksFull()) {
            wasFull = false;
            return false;
        } else if (!wasFull) {
            wasFull = true;
            since = clock.getAsLong();
        }
        return clock.getAsLong() - since >= FULL_FOR.toNanos();
    }

    /** A look that has no memory itself has seen enough. */
    private boolean looksFull() {
        try {
            return full.getAsBoolean();
        } catch (OutOfMemoryError e) {
            return true;
        }
    }

    @Override
    public void close() {
        Thread.setDefaultUncaughtExceptionHandler(before);
        thread.interrupt();
    }
}
