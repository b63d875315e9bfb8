package dev.idem.postgresql;

import dev.idem.internal.sql.LentConnection;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Joining.Joined;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/** Commits the rows of an action together with the settlement of its entry. */
final class PostgresqlTransaction implements Joined<Connection>, Steps {
    private static final String READ_COMMITTED = "read committed";

    private final Connection connection;
    private final boolean own;
    private final Server server;
    private final Statements statements;
    private final PostgresqlErrors errors;
    private final Connection lent;
    private boolean begun;
    private boolean ended;

    private PostgresqlTransaction(Server server, Connection connection, boolean own) {
        this.server = server;
        this.statements = server.statements();
        this.errors = server.errors();
        this.connection = connection;
        this.own = own;
        this.lent = LentConnection.of(connection);
    }

    /** Begins on a connection of the pool, which is returned at the end. */
    static PostgresqlTransaction onOwn(Server server) {
        var transaction = new PostgresqlTransaction(server, server.database().lend(), true);
        transaction.begin();
        return transaction;
    }

    /** Begins on the caller's connection, which must be idle. The caller closes it. */
    static PostgresqlTransaction onCallers(Server server, Connection callers) {
        var transaction = new PostgresqlTransaction(server, callers, false);
        try {
            transaction.requireFit();
        } catch (SQLException e) {
            throw server.errors().of(e);
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
        String unfit;
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(statements.get("join"))) {
            row.next();
            unfit = unfit(server.isIn(row.getString(1)), row.getString(2));
        } catch (SQLException e) {
            rollBack();
            throw e;
        }
        if (unfit != null) {
            rollBack();
            throw new IllegalArgumentException(unfit);
        }
    }

    private static @Nullable String unfit(boolean sameDatabase, String isolation) {
        if (!sameDatabase) {
            return "the ledger is not in the database of this connection: entries and rows can be in one transaction"
                    + " only where they are in one database";
        }
        return isolation.equals(READ_COMMITTED)
                ? null
                : "this connection is set to " + isolation.toUpperCase(Locale.ROOT) + ". A heartbeat changes the entry"
                        + " while the action runs, and under that isolation the entry could no longer be settled: call"
                        + " setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED) first, and lock the rows that"
                        + " the action reads with SELECT … FOR UPDATE where it depends on them";
    }

    private void begin() {
        try (Statement statement = connection.createStatement()) {
            String begin = statements.get("begin-action");
            statement.execute(own ? statements.get("read-committed") + "; " + begin : begin);
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

    /** The store inside the transaction. Called after the action: its connection is revoked. */
    @Override
    public EntryStore store() {
        LentConnection.takeBack(lent);
        if (begun) {
            try (Statement statement = connection.createStatement()) {
                statement.execute(statements.get("end-action"));
                begun = false;
            } catch (SQLException e) {
                // Distinguishes an error in this transaction from an error after its end, in another transaction.
                requireUnended();
                throw errors.of(e);
            }
        }
        return new PostgresqlStore(server, this);
    }

    @Override
    public <A> A run(Work<A> work) {
        try {
            return work.with(connection);
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

    /** Throws if the transaction has ended: its savepoint exists only as long as the transaction. */
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
            // The connection is broken, so the server rolls the transaction back.
            System.getLogger("dev.idem").log(System.Logger.Level.DEBUG, "a transaction ended with its connection", e);
        } finally {
            end();
        }
    }

    private void end() {
        ended = true;
        if (own) {
            server.database().giveBack(connection);
        }
    }
}
