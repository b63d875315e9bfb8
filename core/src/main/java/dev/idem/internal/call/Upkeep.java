package dev.idem.internal.call;

import dev.idem.internal.runtime.Nanos;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Purges expired entries and writes counts of replays periodically, in small batches, from a thread of its own. */
final class Upkeep implements AutoCloseable {
    private static final int BATCH = 500;
    private static final long BREATH = 20_000_000;
    private static final long COUNTS_EVERY = Duration.ofSeconds(5).toNanos();

    private final Optional<Browsable> ledger;
    private final Duration every;
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile @Nullable Thread thread;
    private volatile boolean closed;

    Upkeep(Ledger ledger, Duration every) {
        this.ledger = ledger.as(Browsable.class);
        this.every = every;
    }

    /** Starts with the first call, so that opening an Idem starts no thread. */
    void start() {
        if (started.get() || every.isZero() || ledger.isEmpty() || !started.compareAndSet(false, true)) {
            return;
        }
        Thread made = new Thread(() -> run(ledger.get()), "idem-purging");
        made.setDaemon(true);
        try {
            made.start();
        } catch (OutOfMemoryError e) {
            // No thread is available now; a later call tries again.
            started.set(false);
            return;
        }
        thread = made;
    }

    private void run(Browsable browsable) {
        long interval = Nanos.of(every);
        long purgedAt = System.nanoTime();
        String told = null;
        while (!closed) {
            Thread.interrupted();
            LockSupport.parkNanos(this, Math.min(interval, COUNTS_EVERY));
            try {
                browsable.writeCounts();
                if (System.nanoTime() - purgedAt >= interval) {
                    purgedAt = System.nanoTime();
                    purge(browsable);
                }
            } catch (RuntimeException e) {
                // Told once: a ledger may never allow it, for instance a remote one to a token of one tenant.
                if (!String.valueOf(e.getMessage()).equals(told)) {
                    LedgerTrouble.warn(() -> "expired entries could not be purged; it is tried again later", e);
                }
                told = String.valueOf(e.getMessage());
            }
        }
    }

    private void purge(Browsable browsable) {
        while (!closed && browsable.purge(BATCH) == BATCH) {
            LockSupport.parkNanos(this, BREATH);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
