package dev.idem.sqlite;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.BusyHandler;

/**
 * Waits for another process that writes, with pauses that are random and stay short: with growing pauses, as SQLite's
 * own, whoever has waited longest would look least often and might never get its turn.
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

    /** Asked again and again while the lock is taken: 1 to go on waiting, 0 to give up. */
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
