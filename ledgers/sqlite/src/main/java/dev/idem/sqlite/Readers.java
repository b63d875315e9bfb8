package dev.idem.sqlite;

import java.sql.SQLException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;

/** A few sessions that only read. Readers and the writer do not wait for each other. */
final class Readers {
    /** Something to read. */
    @FunctionalInterface
    interface Reading<T> {
        T from(Session session) throws SQLException;
    }

    private static final System.Logger LOG = System.getLogger(Readers.class.getName());

    private final Opening opening;
    private final SqliteErrors errors;
    private final Semaphore permits;
    private final ConcurrentLinkedDeque<Session> idle = new ConcurrentLinkedDeque<>();
    private volatile boolean closed;

    Readers(Opening opening, SqliteErrors errors, int most, Session first) {
        this.opening = opening;
        this.errors = errors;
        this.permits = new Semaphore(most);
        idle.push(first);
    }

    <T> T read(Reading<T> reading) {
        // Reads are short, and whoever is interrupted may still need to know what the ledger says.
        permits.acquireUninterruptibly();
        try {
            Session session = idle.poll();
            if (session == null) {
                session = opening.next();
            }
            return read(session, reading);
        } finally {
            permits.release();
        }
    }

    private <T> T read(Session session, Reading<T> reading) {
        try {
            T answer = reading.from(session);
            giveBack(session);
            return answer;
        } catch (SQLException e) {
            close(session);
            throw errors.of(e);
        } catch (RuntimeException e) {
            close(session);
            throw e;
        }
    }

    private void giveBack(Session session) {
        idle.push(session);
        if (closed) {
            closeIdle();
        }
    }

    void close() {
        closed = true;
        closeIdle();
    }

    private void closeIdle() {
        for (Session session = idle.poll(); session != null; session = idle.poll()) {
            close(session);
        }
    }

    private static void close(Session session) {
        try {
            session.close();
        } catch (SQLException e) {
            LOG.log(System.Logger.Level.DEBUG, "a connection could not be closed", e);
        }
    }
}
