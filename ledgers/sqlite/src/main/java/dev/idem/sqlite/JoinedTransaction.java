package dev.idem.sqlite;

import dev.idem.internal.sql.LentConnection;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Joining.Joined;
import java.sql.Connection;
import java.sql.SQLException;

/** Commits the rows of an action together with the settlement of its entry. Nothing else writes meanwhile. */
final class JoinedTransaction implements Joined<Connection> {
    private final GroupCommit commits;
    private final Writer writer;
    private final SqliteConnection sqlite;
    private final Connection lent;
    private final TransactionStore store;
    private boolean released;
    private boolean ended;

    JoinedTransaction(SqliteStore outside, GroupCommit commits, Writer writer, SqliteErrors errors) {
        if (commits.isSeized()) {
            throw new IllegalStateException("one transaction of a SQLite ledger can't be inside of another");
        }
        this.commits = commits;
        this.writer = writer;
        commits.seize();
        try {
            this.sqlite = begun(writer, errors);
            this.lent = LentConnection.of(sqlite.connection());
            this.store = new TransactionStore(outside, sqlite, errors);
        } catch (RuntimeException | Error e) {
            try {
                writer.discard();
            } finally {
                commits.release();
            }
            throw e;
        }
    }

    private static SqliteConnection begun(Writer writer, SqliteErrors errors) {
        SqliteConnection sqlite = writer.begin();
        try {
            sqlite.run("savepoint");
            return sqlite;
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    @Override
    public Connection connection() {
        return lent;
    }

    @Override
    public EntryStore store() {
        LentConnection.takeBack(lent);
        if (!released) {
            try {
                sqlite.run("release");
                released = true;
            } catch (SQLException e) {
                throw endedBefore(e);
            }
        }
        return store;
    }

    @Override
    public void commit() {
        ended = true;
        try {
            writer.commitAlone(sqlite, store.written());
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
                writer.rollBack();
            } finally {
                commits.release();
            }
        }
    }

    /** Throws if the action has ended the transaction: its later statements were then committed one by one. */
    private void requireUnended() {
        if (released) {
            return;
        }
        try {
            sqlite.run("back-to-savepoint");
        } catch (SQLException e) {
            throw endedBefore(e);
        }
    }

    private static IllegalStateException endedBefore(SQLException e) {
        return new IllegalStateException(
                "the transaction had ended before it was to be committed or rolled back (" + e.getMessage()
                        + "): its action, or an error that it ignored, has ended it, and its rows may be committed",
                e);
    }
}
