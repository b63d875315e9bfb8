package dev.idem.sqlite;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A few connections that only read. Readers and the writer do not wait for each other. */
final class Readers {
    /** A read from the database. */
    @FunctionalInterface
    interface Reading<T> {
        T from(SqliteConnection sqlite) throws SQLException;
    }

    private final Opening opening;
    private final SqliteErrors errors;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<SqliteConnection> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(Opening opening, SqliteErrors errors, int most, SqliteConnection first) {
        this.opening = opening;
        this.errors = errors;
        // In the order in which they came: else the thread that has just read is the next one, and others wait for
        // long.
        this.permits = new Semaphore(most, true);
        idle.push(first);
    }

    <T> T read(Reading<T> reading) {
        // Reads are short, and an interrupted caller may still need the answer.
        permits.acquireUninterruptibly();
        try {
            if (closed) {
                throw errors.unavailable("is closed", null);
            }
            SqliteConnection sqlite = idle.poll();
            if (sqlite == null) {
                sqlite = opening.next();
            }
            return read(sqlite, reading);
        } finally {
            permits.release();
        }
    }

    /**
     * Gives away an idle connection, so that a program that does one thing and ends opens only one. Null if there is
     * none.
     */
    @Nullable
    SqliteConnection spare() {
        return idle.poll();
    }

    private <T> T read(SqliteConnection sqlite, Reading<T> reading) {
        try {
            T answer = reading.from(sqlite);
            giveBack(sqlite);
            return answer;
        } catch (SQLException e) {
            close(sqlite);
            throw errors.of(e);
        } catch (RuntimeException e) {
            close(sqlite);
            throw e;
        }
    }

    private void giveBack(SqliteConnection sqlite) {
        idle.push(sqlite);
        if (closed) {
            closeIdle();
        }
    }

    void close() {
        closed = true;
        closeIdle();
    }

    private void closeIdle() {
        for (SqliteConnection sqlite = idle.poll(); sqlite != null; sqlite = idle.poll()) {
            close(sqlite);
        }
    }

    private static void close(SqliteConnection sqlite) {
        try {
            sqlite.close();
        } catch (SQLException e) {
            Log.debug("a connection could not be closed", e);
        }
    }
}
