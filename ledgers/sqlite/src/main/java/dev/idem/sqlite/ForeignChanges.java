package dev.idem.sqlite;

import dev.idem.LedgerException;
import dev.idem.spi.Watches;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Watches for changes by other processes while a caller waits. SQLite reports cheaply that another connection has
 * committed, but not what, so all waiters are woken.
 */
final class ForeignChanges {
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    /** The thread stays this long after the last watch, because another watch often follows. */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(1);

    private final Opening opening;
    private final Watches watches;
    private final ReentrantLock starting = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile boolean closed;

    ForeignChanges(Opening opening, Watches watches) {
        this.opening = opening;
        this.watches = watches;
    }

    /** Called after a watch was added. Later commits are noticed. */
    void lookOut() {
        starting.lock();
        try {
            if (thread == null && !closed) {
                SqliteConnection sqlite = opening.next();
                thread = start(sqlite, sqlite.dataVersion());
            }
        } catch (SQLException | LedgerException e) {
            unnoticed(e);
        } finally {
            starting.unlock();
        }
    }

    private Thread start(SqliteConnection sqlite, long version) {
        Thread watching = new Thread(() -> run(sqlite, version), "idem-sqlite-watch");
        watching.setDaemon(true);
        watching.start();
        return watching;
    }

    private void run(SqliteConnection sqlite, long version) {
        try (sqlite) {
            watch(sqlite, version);
        } catch (SQLException | LedgerException e) {
            unnoticed(e);
            forget();
        }
    }

    /** A wake-up is only a hint: waiters also poll. */
    private static void unnoticed(Exception e) {
        Log.warn("changes by other processes are not noticed at once", e);
    }

    private void watch(SqliteConnection sqlite, long first) throws SQLException {
        long pause = SHORTEST_PAUSE;
        long neededUntil = System.nanoTime() + LINGER;
        long seen = first;
        while (!closed) {
            if (!watches.isEmpty()) {
                neededUntil = System.nanoTime() + LINGER;
            } else if (System.nanoTime() - neededUntil > 0 && leave()) {
                return;
            }
            LockSupport.parkNanos(pause);
            long version = sqlite.dataVersion();
            pause = version == seen ? Math.min(LONGEST_PAUSE, pause + pause / 2) : SHORTEST_PAUSE;
            if (version != seen) {
                seen = version;
                watches.wakeAll();
            }
        }
    }

    /** Ends the thread, unless a watch was added meanwhile. */
    private boolean leave() {
        starting.lock();
        try {
            if (!watches.isEmpty() && !closed) {
                return false;
            }
            thread = null;
            return true;
        } finally {
            starting.unlock();
        }
    }

    private void forget() {
        starting.lock();
        try {
            thread = null;
        } finally {
            starting.unlock();
        }
    }

    void close() {
        closed = true;
        Thread running;
        starting.lock();
        try {
            running = thread;
        } finally {
            starting.unlock();
        }
        if (running != null) {
            LockSupport.unpark(running);
            join(running);
        }
    }

    /** Waits for the thread, so that the file is closed together with the ledger. */
    private static void join(Thread running) {
        try {
            running.join(TimeUnit.NANOSECONDS.toMillis(LINGER));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
