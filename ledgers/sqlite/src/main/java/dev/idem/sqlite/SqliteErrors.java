package dev.idem.sqlite;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/** Turns errors of SQLite into exceptions whose message says what to do. */
final class SqliteErrors {
    private static final int PRIMARY = 0xFF;

    /** Errors that a statement reports before it commits. */
    private static final Set<SQLiteErrorCode> CHANGED_NOTHING = EnumSet.of(
            SQLiteErrorCode.SQLITE_FULL,
            SQLiteErrorCode.SQLITE_READONLY,
            SQLiteErrorCode.SQLITE_PERM,
            SQLiteErrorCode.SQLITE_AUTH,
            SQLiteErrorCode.SQLITE_NOTADB,
            SQLiteErrorCode.SQLITE_TOOBIG);

    private final Path file;
    private final Duration busy;

    SqliteErrors(Path file, Duration busy) {
        this.file = file;
        this.busy = busy;
    }

    /** The exception for a step that failed and changed nothing. */
    LedgerException of(SQLException e) {
        return switch (code(e)) {
            case SQLITE_BUSY, SQLITE_LOCKED ->
                unavailable(
                        "is busy: another process has held its write lock for " + busy.toMillis()
                                + " ms, or a transaction that this call is made in. "
                                + LockHolder.of(file).orElse("`fuser -v " + file + "` shows who has it open")
                                + ". End that transaction before the call,"
                                + " or keep the ledger in a file of its own; otherwise try again, or wait longer with"
                                + " ?busy=60s",
                        e);
            case SQLITE_FULL ->
                unavailable(
                        "can't grow: the disk is full. Nothing was written; make room and try again. "
                                + "What is stored can still be read",
                        e);
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
                unreadable(
                        "can't be written: the file or its folder is read-only for this user. "
                                + "Make both writable, or name another ledger",
                        e);
            case SQLITE_CANTOPEN ->
                unavailable("can't be opened. Check that its folder exists and that this user may write there", e);
            case SQLITE_NOTADB -> unreadable("is not a SQLite database. It was left as it is; name another file", e);
            case SQLITE_CORRUPT ->
                unreadable("is damaged. It was left as it is; restore it from a copy, or name another file", e);
            case SQLITE_TOOBIG -> unreadable("can't hold a value that large", e);
            default -> unavailable("gave no answer (" + e.getMessage() + "). Try again", e);
        };
    }

    /** The exception for a failed commit: the request may have been written. */
    LedgerException ofCommit(SQLException e) {
        LedgerException reason = of(e);
        if (code(e) == SQLiteErrorCode.SQLITE_FULL) {
            // A full disk is detected before the last page is written.
            return reason;
        }
        return new LedgerUnavailableException(
                reason.getMessage() + " (It is not known whether the last change was written: ask again)", e);
    }

    /** The exception for a failed autocommit statement. */
    LedgerException ofSingle(SQLException e) {
        return isBusy(e) || CHANGED_NOTHING.contains(code(e)) ? of(e) : ofCommit(e);
    }

    /** Whether the statement never got the lock. */
    static boolean isBusy(SQLException e) {
        return code(e) == SQLiteErrorCode.SQLITE_BUSY;
    }

    private static SQLiteErrorCode code(SQLException e) {
        return SQLiteErrorCode.getErrorCode(e.getErrorCode() & PRIMARY);
    }

    LedgerUnavailableException unavailable(String what, @Nullable Throwable cause) {
        return new LedgerUnavailableException("ledger " + file + " " + what, cause);
    }

    LedgerUnreadableException unreadable(String what, Throwable cause) {
        return new LedgerUnreadableException("ledger " + file + " " + what, cause);
    }
}
