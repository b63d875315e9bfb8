package dev.idem.postgresql;

import dev.idem.entry.Address;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Transactional.Transaction;
import dev.idem.sql.LentConnection;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** The rows of an action and the end of its entry in one commit. */
final class PostgresqlTransaction implements Transaction<Connection> {
    /** How an entry is settled in a transaction. */
    @FunctionalInterface
    interface Settling {
        Settled settle(Connection connection, Ticket ticket, Settlement how) throws SQLException;
    }

    private final Connection connection;
    private final boolean own;
    private final Statements statements;
    private final PostgresqlErrors errors;
    private final Settling settling;
    private final Consumer<Address> wake;
    private final Connection lent;
    private @Nullable Address settled;
    private boolean begun;
    private boolean ended;

    private PostgresqlTransaction(
            Connection connection,
            boolean own,
            Statements statements,
            PostgresqlErrors errors,
            Settling settling,
            Consumer<Address> wake) {
        this.connection = connection;
        this.own = own;
        this.statements = statements;
        this.errors = errors;
        this.settling = settling;
        this.wake = wake;
        this.lent = LentConnection.of(connection);
    }

    /** Begins on a connection that was borrowed for it, and is given back at the end. */
    static PostgresqlTransaction onOwn(
            Connection borrowed,
            Statements statements,
            PostgresqlErrors errors,
            Settling settling,
            Consumer<Address> wake) {
        var transaction = new PostgresqlTransaction(borrowed, true, statements, errors, settling, wake);
        transaction.begin();
        return transaction;
    }

    /** Begins on the caller's connection, which is to be idle, and stays the caller's. */
    static PostgresqlTransaction onCallers(
            Connection callers,
            Statements statements,
            PostgresqlErrors errors,
            Settling settling,
            Consumer<Address> wake) {
        var transaction = new PostgresqlTransaction(callers, false, statements, errors, settling, wake);
        try {
            transaction.requireFit();
        } catch (SQLException e) {
            throw errors.of(e);
        }
        transaction.begin();
        return transaction;
    }

    private void requireFit() throws SQLException {
        if (!connection.isWrapperFor(BaseConnection.class)) {
            throw new IllegalArgumentException("entries of a PostgreSQL ledger are settled through a connection of its"
                    + " driver, not through a " + connection.getClass().getName());
        }
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("this connection commits every statement by itself: call"
                    + " setAutoCommit(false) first, and let Idem commit");
        }
        if (connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
            throw new IllegalArgumentException("this connection has something uncommitted, which Idem would commit"
                    + " with the action's rows: commit it or roll it back first");
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(statements.get("join-action"))) {
            row.next();
            if (row.getBoolean(1)) {
                return;
            }
        } catch (SQLException e) {
            rollBack();
            throw e;
        }
        rollBack();
        throw new IllegalArgumentException("the ledger is not in the database of this connection: entries and"
                + " rows can be in one transaction only where they are in one database");
    }

    private void begin() {
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements.get("begin-action"));
            begun = true;
        } catch (SQLException e) {
            close();
            throw errors.of(e);
        }
    }

    @Override
    public Connection connection() {
        return lent;
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        LentConnection.takeBack(lent);
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements.get("end-action"));
            begun = false;
        } catch (SQLException e) {
            // An error inside of the transaction is one thing; that it was ended and another one failed, another.
            requireUnended();
            throw errors.of(e);
        }
        try {
            Settled answer = settling.settle(connection, ticket, how);
            settled = ticket.address();
            return answer;
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    @Override
    public void commit() {
        try {
            connection.commit();
        } catch (SQLException e) {
            throw errors.unavailable(
                    "gave no answer to a commit (" + e.getMessage() + "): it is not known whether it was done", e);
        }
        end();
        if (settled != null) {
            wake.accept(settled);
        }
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        LentConnection.takeBack(lent);
        try {
            requireUnended();
        } finally {
            rollBack();
        }
    }

    /** The savepoint is there as long as the transaction is in which it was set. */
    private void requireUnended() {
        if (!begun) {
            return;
        }
        begun = false;
        try (Statement statement = connection.createStatement()) {
            statement.execute(statements.get("back-to-begin-of-action"));
        } catch (SQLException e) {
            if (PostgresqlErrors.state(e).equals(PostgresqlErrors.NO_SAVEPOINT)) {
                throw new IllegalStateException(
                        "the transaction had ended before it was to be committed or rolled back: its action has ended"
                                + " it, and its rows may be there",
                        e);
            }
            // The connection is broken, and with it the transaction.
            System.getLogger("dev.idem").log(System.Logger.Level.DEBUG, "a transaction ended with its connection", e);
        }
    }

    private void rollBack() {
        try {
            connection.rollback();
        } catch (SQLException e) {
            // It is broken, and with it the transaction: the server rolls back what it loses the sight of.
            System.getLogger("dev.idem").log(System.Logger.Level.DEBUG, "a transaction ended with its connection", e);
        } finally {
            end();
        }
    }

    private void end() {
        ended = true;
        if (!own) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            System.getLogger("dev.idem").log(System.Logger.Level.DEBUG, "a connection could not be given back", e);
        }
    }
}
