package dev.idem.sqlite;

import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Transactional.Transaction;
import dev.idem.sql.LentConnection;
import java.sql.Connection;
import java.sql.SQLException;

/** The rows of an action and the end of its entry in one commit. Nobody else writes meanwhile. */
final class SqliteTransaction implements Transaction<Connection> {
    /** How an entry is settled in a transaction. */
    @FunctionalInterface
    interface Settling {
        Settled settle(WriteTransaction transaction, Ticket ticket, Settlement how) throws SQLException;
    }

    private final GroupCommit commits;
    private final Writer writer;
    private final SqliteErrors errors;
    private final Settling settling;
    private final WriteTransaction transaction;
    private final Connection lent;
    private boolean released;
    private boolean ended;

    SqliteTransaction(GroupCommit commits, Writer writer, SqliteErrors errors, Settling settling) {
        if (commits.isSeized()) {
            throw new IllegalStateException("one transaction of a SQLite ledger can't be inside of another");
        }
        this.commits = commits;
        this.writer = writer;
        this.errors = errors;
        this.settling = settling;
        commits.seize();
        try {
            this.transaction = writer.beginAlone();
            savepoint();
            this.lent = LentConnection.of(transaction.connection());
        } catch (RuntimeException | Error e) {
            try {
                // With what it has begun, if anything.
                writer.discard();
            } finally {
                commits.release();
            }
            throw e;
        }
    }

    private void savepoint() {
        try {
            transaction.savepoint();
        } catch (SQLException e) {
            writer.rollBackAlone(transaction);
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
        try {
            transaction.endSavepoint();
            released = true;
        } catch (SQLException e) {
            throw endedBefore(e);
        }
        try {
            return settling.settle(transaction, ticket, how);
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    @Override
    public void commit() {
        ended = true;
        try {
            writer.commitAlone(transaction);
        } finally {
            commits.release();
        }
    }

    @Override
    public void close() {
        if (ended) {
            return;
        }
        ended = true;
        LentConnection.takeBack(lent);
        try {
            requireUnended();
        } finally {
            try {
                writer.rollBackAlone(transaction);
            } finally {
                commits.release();
            }
        }
    }

    /** After an end behind its back every further statement of the action was committed by itself. */
    private void requireUnended() {
        if (released) {
            return;
        }
        try {
            transaction.backToSavepoint();
        } catch (SQLException e) {
            throw endedBefore(e);
        }
    }

    private static IllegalStateException endedBefore(SQLException e) {
        return new IllegalStateException(
                "the transaction had ended before it was to be committed or rolled back (" + e.getMessage()
                        + "): its action, or an error that it let pass, has ended it, and its rows may be there",
                e);
    }
}
