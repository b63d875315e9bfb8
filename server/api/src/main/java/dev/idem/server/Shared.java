package dev.idem.server;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;

/**
 * Answers that are kept for some seconds and given to all who ask for the same: many open pages cost the ledger as much
 * as one. Thread-safe.
 */
final class Shared<K, V> {
    private static final int MOST = 1000;
    /** A tenth of a processor at most goes into one answer. */
    private static final int TIMES_ITS_WORK = 10;

    private final Map<K, Kept> kept = new ConcurrentHashMap<>();
    private final long nanos;
    private final LongSupplier clock;

    /**
     * Keeps nothing yet.
     *
     * @param keptFor counted from the end of the work; an answer that took long is kept ten times as long as that
     * @param clock nanoseconds of a monotonic clock
     */
    Shared(Duration keptFor, LongSupplier clock) {
        this.nanos = keptFor.toNanos();
        this.clock = clock;
    }

    private final class Kept extends FutureTask<V> {
        private final long began = clock.getAsLong();
        private volatile long ended;

        Kept(Callable<V> work) {
            super(work);
        }

        @Override
        protected void done() {
            ended = clock.getAsLong();
        }

        boolean isOver() {
            return isDone() && clock.getAsLong() - ended > Math.max(nanos, TIMES_ITS_WORK * (ended - began));
        }
    }

    /** The kept answer; else that of the work, which runs once for all who ask at the same time. */
    V get(K key, Callable<V> work) throws InterruptedException {
        if (kept.size() >= MOST) {
            kept.clear();
        }
        Kept one = kept.compute(key, (same, old) -> old == null || old.isOver() ? new Kept(work) : old);
        one.run();
        try {
            return one.get();
        } catch (ExecutionException e) {
            kept.remove(key, one);
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
