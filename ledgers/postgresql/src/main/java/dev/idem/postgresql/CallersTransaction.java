package dev.idem.postgresql;

import dev.idem.spi.EntryStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * Runs steps inside a transaction that the caller has begun and will end. Each step that writes is in a savepoint: when it
 * fails, for instance because it has waited too long for a lock, the transaction can go on.
 */
final class CallersTransaction implements Steps {
    private final Server server;
    private final Connection connection;
    private final BaseConnection driver;
    private final String lockTimeout;

    private CallersTransaction(Server server, Connection connection, BaseConnection driver, String lockTimeout) {
        this.server = server;
        this.connection = connection;
        this.driver = driver;
        this.lockTimeout = lockTimeout;
    }

    /**
     * The store inside the caller's transaction.
     *
     * @param wait how long a step waits for another transaction
     * @throws IllegalArgumentException when the connection is none to the ledger's database, or commits by itself
     */
    static EntryStore store(Server server, Connection connection, Duration wait) {
        CallersTransaction steps;
        try {
            steps = begun(server, connection);
        } catch (SQLException e) {
            throw server.errors().of(e);
        }
        return new PostgresqlStore(server.waiting(wait), steps) {
            @Override
            public void close() {
                // The connection is the caller's.
            }
        };
    }

    private static CallersTransaction begun(Server server, Connection connection) throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            throw new IllegalArgumentException("the transaction is not on PostgreSQL, and the ledger is");
        }
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("the connection of the transaction commits every statement by itself");
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(server.statements().get("join"))) {
            row.next();
            if (!server.isIn(row.getString(1))) {
                throw new IllegalArgumentException("the ledger is not in the database of the transaction");
            }
            return new CallersTransaction(
                    server, connection, connection.unwrap(BaseConnection.class), row.getString(3));
        }
    }

    @Override
    public <A> A run(Work<A> work) {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SAVEPOINT idem_step");
            try {
                return work.with(connection);
            } finally {
                boolean failed = driver.getTransactionState() == TransactionState.FAILED;
                // A step sets the lock timeout until the end of the transaction, which is not ours.
                statement.execute(
                        failed
                                ? "ROLLBACK TO SAVEPOINT idem_step; RELEASE SAVEPOINT idem_step"
                                : "RELEASE SAVEPOINT idem_step; SET LOCAL lock_timeout = '" + lockTimeout + "'");
            }
        } catch (SQLException e) {
            throw server.errors().of(e);
        }
    }

    /** A query waits for no lock, so it needs no savepoint. */
    @Override
    public <A> A ask(String sql, Binding binding, Reading<A> reading) {
        try {
            return Steps.ask(connection, sql, binding, reading);
        } catch (SQLException e) {
            throw server.errors().of(e);
        }
    }
}
