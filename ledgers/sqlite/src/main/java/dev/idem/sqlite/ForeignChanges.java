package dev.idem.sqlite;

import dev.idem.error.LedgerException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks out for changes by other processes while somebody waits. SQLite tells a connection cheaply that something was
 * committed through another one, not what it was, so all who wait are woken.
 */
final class ForeignChanges {
    private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

    /** The thread outlives the last watch by this, since the next one often follows. */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger(ForeignChanges.class.getName());

    private final Opening opening;
    private final Watches watches;
    private final ReentrantLock starting = new ReentrantLock();
    private @Nullable Thread thread;
    private volatile boolean closed;

    ForeignChanges(Opening opening, Watches watches) {
        this.opening = opening;
        this.watches = watches;
    }

    /** Called after a watch was added. */
    void lookOut() {
        starting.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(this::run, "idem-sqlite-watch");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            starting.unlock();
        }
    }

    private void run() {
        try (Session session = opening.next()) {
            watch(session);
        } catch (SQLException | LedgerException e) {
            // A wake is only a hint: those who wait look again by themselves.
            LOG.log(System.Logger.Level.WARNING, "changes by other processes are not noticed at once", e);
            forget();
        }
    }

    private void watch(Session session) throws SQLException {
        long pause = SHORTEST_PAUSE;
        long neededUntil = System.nanoTime() + LINGER;
        long seen = version(session);
        // What was committed between the watch and the first look went unseen.
        watches.wakeAll();
        while (!closed) {
            if (!watches.isEmpty()) {
                neededUntil = System.nanoTime() + LINGER;
            } else if (System.nanoTime() - neededUntil > 0 && leave()) {
                return;
            }
            LockSupport.parkNanos(pause);
            long version = version(session);
            pause = version == seen ? Math.min(LONGEST_PAUSE, pause + pause / 2) : SHORTEST_PAUSE;
            if (version != seen) {
                seen = version;
                watches.wakeAll();
            }
        }
    }

    /** Ends the watching, unless a watch was added meanwhile. */
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

    private static long version(Session session) throws SQLException {
        try (ResultSet row = session.statement("data-version").executeQuery()) {
            row.next();
            return row.getLong(1);
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

    /** So that the file is closed when the ledger is. */
    private static void join(Thread running) {
        try {
            running.join(TimeUnit.NANOSECONDS.toMillis(LINGER));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
