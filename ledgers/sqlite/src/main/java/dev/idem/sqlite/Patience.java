package dev.idem.sqlite;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;

/**
 * Waits for another process that writes, with short random pauses. With growing pauses, as in SQLite's own handler, the
 * longest waiter would try least often and might never get the lock.
 */
final class Patience extends BusyHandler {
    private static final int QUICK_LOOKS = 20;
    private static final long QUICK_PAUSE = TimeUnit.MICROSECONDS.toNanos(150);
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(4);

    private final long limit;
    private long since;

    Patience(Duration limit) {
        this.limit = limit.toNanos();
    }

    /** Called repeatedly while the lock is taken: 1 to keep waiting, 0 to give up. */
    @Override
    protected int callback(int looks) {
        long now = System.nanoTime();
        if (looks == 0) {
            since = now;
        } else if (now - since > limit) {
            return 0;
        }
        long pause = looks < QUICK_LOOKS ? QUICK_PAUSE : PAUSE;
        LockSupport.parkNanos(pause / 4 + ThreadLocalRandom.current().nextLong(pause));
        return 1;
    }
}
