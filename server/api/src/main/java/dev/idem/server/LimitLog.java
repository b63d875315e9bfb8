package dev.idem.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Says in the log that one limit is met, at most once a minute. Thread-safe. */
public final class LimitLog {
    private static final System.Logger LOG = System.getLogger(LimitLog.class.getName());
    private static final long EVERY = Duration.ofMinutes(1).toNanos();

    private final AtomicLong last = new AtomicLong(System.nanoTime() - EVERY);

    /** Has said nothing yet. */
    public LimitLog() {}

    /** Says it, unless it was said in the last minute. */
    public void tell(Supplier<String> line) {
        long before = last.get();
        long now = System.nanoTime();
        if (now - before >= EVERY && last.compareAndSet(before, now)) {
            LOG.log(System.Logger.Level.WARNING, () -> "limit: " + line.get());
        }
    }
}
