package dev.idem.postgresql;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns errors of the server into exceptions whose message says what to do. */
final class PostgresqlErrors {
    private static final String LOCK_TIMEOUT = "55P03";
    static final String NO_RIGHTS = "42501";
    static final String NO_SAVEPOINT = "3B001";

    /** Serialization failure and deadlock: nothing was done, and the step is to be repeated. */
    private static final Set<String> AGAIN = Set.of("40001", "40P01");

    private final String where;
    private final String schema;

    PostgresqlErrors(String where, String schema) {
        this.where = where;
        this.schema = schema;
    }

    static boolean doAgain(SQLException e) {
        return AGAIN.contains(state(e));
    }

    /** Whether another transaction held the row for too long. */
    static boolean isLockTimeout(SQLException e) {
        return state(e).equals(LOCK_TIMEOUT);
    }

    static String state(SQLException e) {
        return Objects.requireNonNullElse(e.getSQLState(), "");
    }

    /**
     * The exception for a failed step. Without an error from the server it is unknown whether the step took place: then
     * the ledger is unavailable, and the step is sent again.
     */
    LedgerException of(SQLException e) {
        return switch (state(e)) {
            case "28P01", "28000" ->
                unreadable("refuses this user: check the user's name and password, and pg_hba.conf", e);
            case "3D000" -> unreadable("has no such database: create it, or name another", e);
            case NO_RIGHTS ->
                unreadable(
                        "refuses a right (" + said(e)
                                + "). Have its owner grant it; the page on PostgreSQL lists what a" + " ledger needs",
                        e);
            case "3F000", "42P01", "42883", "42704" ->
                unreadable("has no ledger in schema " + schema + " any more (" + said(e) + "): open it again", e);
            case "25006" ->
                unavailable(
                        "takes no writes at the moment: this is a replica, or it was made read-only. Nothing was"
                                + " written; name the primary, or try again",
                        e);
            case LOCK_TIMEOUT -> unavailable("had a row that another transaction locked for too long. Try again", e);
            case "25P02" ->
                unavailable(
                        "has given up the transaction after an error that the action ignored. Nothing was written", e);
            case "40001", "40P01" -> unavailable("had too many concurrent writers of one entry. Try again", e);
            case "53300" -> unavailable("has no connection left (" + said(e) + "). Try again, or raise its limit", e);
            case "22P02" ->
                unreadable(
                        "has an entry that can't be read (" + said(e)
                                + "). Nothing was changed; restore it from a copy, or remove that row by hand",
                        e);
            case "53100" -> unavailable("has no room left on its disk. Nothing was written; make room", e);
            default -> unavailable("gave no answer (" + said(e) + "). Try again", e);
        };
    }

    LedgerUnavailableException unavailable(String what, @Nullable Throwable cause) {
        return new LedgerUnavailableException("ledger " + where + " " + what, cause);
    }

    LedgerUnreadableException unreadable(String what, @Nullable Throwable cause) {
        return new LedgerUnreadableException("ledger " + where + " " + what, cause);
    }

    private static String said(SQLException e) {
        return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName())
                .lines()
                .findFirst()
                .orElse("");
    }
}
