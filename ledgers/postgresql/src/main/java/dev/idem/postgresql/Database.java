package dev.idem.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * Runs steps on connections to the server. A step is one statement that commits by itself. No session state is kept, so
 * the next step may use any connection.
 */
final class Database implements Steps, AutoCloseable {
    private static final int MOST_TRIES = 10;
    /** The pool takes none that is shorter. */
    private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(250);

    private final DataSource connections;
    private final DataSource direct;
    private final Places places;
    private final Places lendable;
    private final Runnable closing;
    private final PostgresqlErrors errors;

    private Database(
            DataSource connections,
            DataSource direct,
            Places places,
            Places lendable,
            Runnable closing,
            PostgresqlErrors errors) {
        this.connections = connections;
        this.direct = direct;
        this.places = places;
        this.lendable = lendable;
        this.closing = closing;
        this.errors = errors;
    }

    /**
     * Connections that may be taken. Threads get them in the order in which they came: a pool by itself prefers the
     * thread that has just given one back, and others wait a thousand times as long.
     *
     * @param free the connections that may be taken now
     * @param timeout how long to wait for one
     */
    private record Places(int most, Semaphore free, Duration timeout) {
        static Places of(int most, Duration timeout) {
            return new Places(most, new Semaphore(most, true), timeout);
        }

        /** Waits also in an interrupted thread, which may have to record what it did. */
        boolean take() {
            boolean interrupted = Thread.interrupted();
            long end = System.nanoTime() + timeout.toNanos();
            try {
                while (true) {
                    try {
                        return free.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** A pool of our own. It connects at the first use. */
    static Database pooled(PostgresqlUrl url, PostgresqlErrors errors) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("idem-postgresql");
        config.setDataSource(url.server());
        config.setMaximumPoolSize(url.pool());
        config.setMinimumIdle(1);
        Duration timeout = url.timeout().compareTo(SHORTEST_TIMEOUT) < 0 ? SHORTEST_TIMEOUT : url.timeout();
        config.setConnectionTimeout(timeout.toMillis());
        config.setValidationTimeout(timeout.toMillis());
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        // A transaction lasts as long as its action. One connection always stays free for claims and heartbeats.
        Places lendable = Places.of(url.pool() - 1, timeout);
        return new Database(pool, url.server(), Places.of(url.pool(), timeout), lendable, pool::close, errors);
    }

    /** Uses connections of the caller, who closes them. Their number is unknown here. */
    static Database of(DataSource connections, PostgresqlErrors errors) {
        Places any = Places.of(Integer.MAX_VALUE, Duration.ZERO);
        return new Database(connections, connections, any, any, () -> {}, errors);
    }

    /** A connection outside the pool, for a long use or before the pool exists. */
    Connection direct() throws SQLException {
        return direct.getConnection();
    }

    /** A connection for a transaction. Its borrower ends the transaction and {@link #giveBack gives it back}. */
    Connection lend() {
        awaitLendable();
        boolean lent = false;
        try {
            awaitPlace();
            try {
                Connection connection = connect();
                lent = true;
                return connection;
            } finally {
                if (!lent) {
                    places.free().release();
                }
            }
        } finally {
            if (!lent) {
                lendable.free().release();
            }
        }
    }

    private void awaitLendable() {
        if (lendable.most() == 0) {
            throw new IllegalArgumentException("a transaction takes a connection as long as its action runs, and"
                    + " heartbeats need another one: write pool=2 or more into the ledger URL, not pool=1");
        }
        if (!lendable.take()) {
            throw errors.unavailable(
                    "has no connection left for another transaction: " + lendable.most() + " of "
                            + places.most()
                            + " are in transactions, and the last one is kept for heartbeats. Nothing was written;"
                            + " try again, or write a larger pool= into the ledger URL",
                    null);
        }
    }

    private void awaitPlace() {
        if (!places.take()) {
            throw errors.unavailable(
                    "was not asked: " + places.most() + " other threads had its connections, or waited for one, for "
                            + places.timeout().toMillis() + " ms. See whether the server answers; if it does, write a"
                            + " larger pool= into the ledger URL",
                    null);
        }
    }

    /** Returns a lent connection. */
    void giveBack(Connection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            System.getLogger("dev.idem").log(System.Logger.Level.DEBUG, "a connection could not be given back", e);
        } finally {
            places.free().release();
            lendable.free().release();
        }
    }

    private Connection connect() {
        try {
            Connection connection = connections.getConnection();
            try {
                connection.setAutoCommit(false);
                return connection;
            } catch (SQLException e) {
                connection.close();
                throw e;
            }
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    /** Runs a step, and repeats it if the server asks for that. */
    @Override
    public <A> A run(Work<A> work) {
        awaitPlace();
        try {
            for (int tries = 1; ; tries++) {
                try (Connection connection = connections.getConnection()) {
                    return committing(connection, work);
                } catch (SQLException e) {
                    if (tries == MOST_TRIES || !PostgresqlErrors.doAgain(e)) {
                        throw errors.of(e);
                    }
                }
            }
        } finally {
            places.free().release();
        }
    }

    /** Runs the work in autocommit mode, then restores the mode of the connection. */
    static <A> A committing(Connection connection, Work<A> work) throws SQLException {
        if (connection.getAutoCommit()) {
            return work.with(connection);
        }
        connection.setAutoCommit(true);
        try {
            return work.with(connection);
        } finally {
            connection.setAutoCommit(false);
        }
    }

    @Override
    public void close() {
        closing.run();
    }
}
