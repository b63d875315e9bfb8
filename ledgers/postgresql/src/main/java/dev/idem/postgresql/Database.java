package dev.idem.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Connections to the server, and steps on them. A step is one statement that commits by itself, so that nothing is kept
 * in a session and any connection will do for the next.
 */
final class Database implements Steps, AutoCloseable {
    private static final int MOST_TRIES = 10;

    private final DataSource connections;
    private final DataSource direct;
    private final Runnable closing;
    private final PostgresqlErrors errors;

    private Database(DataSource connections, DataSource direct, Runnable closing, PostgresqlErrors errors) {
        this.connections = connections;
        this.direct = direct;
        this.closing = closing;
        this.errors = errors;
    }

    /** A pool of our own. It connects when it is first needed. */
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
        return new Database(pool, url.server(), pool::close, errors);
    }

    /** The caller's connections, which stay the caller's. */
    static Database of(DataSource connections, PostgresqlErrors errors) {
        return new Database(connections, connections, () -> {}, errors);
    }

    /** A connection beside the pool, for what holds one for long or comes before the pool. */
    Connection direct() throws SQLException {
        return direct.getConnection();
    }

    /** A connection for a transaction, which its borrower ends and closes. */
    Connection lend() {
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

    /** Runs a step, again where the server says that doing it again is the remedy. */
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

    /** Runs it on a connection that commits by itself, and leaves that as it was. */
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
