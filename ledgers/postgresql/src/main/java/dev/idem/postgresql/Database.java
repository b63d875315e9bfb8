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

    private final DataSource connections;
    private final DataSource direct;
    private final Lending lending;
    private final Runnable closing;
    private final PostgresqlErrors errors;

    private Database(
            DataSource connections, DataSource direct, Lending lending, Runnable closing, PostgresqlErrors errors) {
        this.connections = connections;
        this.direct = direct;
        this.lending = lending;
        this.closing = closing;
        this.errors = errors;
    }

    /**
     * Limits the connections that are lent to transactions at once.
     *
     * @param free the connections that may still be lent
     * @param timeout how long to wait for one
     */
    private record Lending(int most, Semaphore free, Duration timeout) {
        static Lending of(int most, Duration timeout) {
            return new Lending(most, new Semaphore(most, true), timeout);
        }
    }

    /** A pool of our own. It connects at the first use. */
    static Database pooled(PostgresqlUrl url, PostgresqlErrors errors) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("idem-postgresql");
        config.setDataSource(url.server());
        config.setMaximumPoolSize(url.pool());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(
                Math.max(Duration.ofMillis(250).toMillis(), url.timeout().toMillis()));
        config.setValidationTimeout(
                Math.max(Duration.ofMillis(250).toMillis(), url.timeout().toMillis()));
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        // A transaction lasts as long as its action. One connection always stays free for claims and heartbeats.
        Lending lending = Lending.of(url.pool() - 1, url.timeout());
        return new Database(pool, url.server(), lending, pool::close, errors);
    }

    /** Uses connections of the caller, who closes them. Their number is unknown here. */
    static Database of(DataSource connections, PostgresqlErrors errors) {
        Lending lending = Lending.of(Integer.MAX_VALUE, Duration.ZERO);
        return new Database(connections, connections, lending, () -> {}, errors);
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
            Connection connection = connect();
            lent = true;
            return connection;
        } finally {
            if (!lent) {
                lending.free().release();
            }
        }
    }

    private void awaitLendable() {
        if (lending.most() == 0) {
            throw new IllegalArgumentException("a transaction takes a connection as long as its action runs, and"
                    + " heartbeats need another one: write pool=2 or more into the ledger URL, not pool=1");
        }
        boolean free;
        try {
            free = lending.free().tryAcquire(lending.timeout().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw errors.unavailable("was not asked: the thread was interrupted while it waited for a connection", e);
        }
        if (!free) {
            throw errors.unavailable(
                    "has no connection left for another transaction: " + lending.most() + " of " + (lending.most() + 1)
                            + " are in transactions, and the last one is kept for heartbeats. Nothing was written;"
                            + " try again, or write a larger pool= into the ledger URL",
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
            lending.free().release();
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
        for (int tries = 1; ; tries++) {
            try (Connection connection = connections.getConnection()) {
                return committing(connection, work);
            } catch (SQLException e) {
                if (tries == MOST_TRIES || !PostgresqlErrors.doAgain(e)) {
                    throw errors.of(e);
                }
            }
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
