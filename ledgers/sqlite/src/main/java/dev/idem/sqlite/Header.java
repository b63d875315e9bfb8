package dev.idem.sqlite;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of a database and of a connection, read in one statement.
 *
 * @param applicationId the application that owns the database
 * @param format the version of the stored format
 * @param journal {@code wal} once it is set up
 * @param synchronous 2 for FULL
 * @param recursiveTriggers 1 for on
 * @param busyTimeout in milliseconds
 * @param encoding of its texts
 * @param tables the number of tables, indexes and views
 */
record Header(
        int applicationId,
        int format,
        String journal,
        int synchronous,
        int recursiveTriggers,
        int busyTimeout,
        String encoding,
        int tables) {
    /** "Idem" in ASCII. */
    static final int IDEM = 0x4964656D;

    private static final int FULL = 2;
    private static final String UTF_8 = "UTF-8";

    private static final String READ = "SELECT a.application_id, u.user_version, j.journal_mode, s.synchronous,"
            + " t.recursive_triggers, b.timeout, e.encoding, (SELECT count(*) FROM sqlite_schema)"
            + " FROM pragma_application_id a, pragma_user_version u, pragma_journal_mode j, pragma_synchronous s,"
            + " pragma_recursive_triggers t, pragma_busy_timeout b, pragma_encoding e";

    static Header read(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(READ)) {
            row.next();
            return new Header(
                    row.getInt(1),
                    row.getInt(2),
                    row.getString(3),
                    row.getInt(4),
                    row.getInt(5),
                    row.getInt(6),
                    row.getString(7),
                    row.getInt(8));
        }
    }

    /** Whether the database is empty. */
    boolean isNew() {
        return applicationId == 0 && format == 0 && tables == 0 && encoding.equals(UTF_8);
    }

    boolean isOurs() {
        return applicationId == IDEM;
    }

    boolean isWal() {
        return "wal".equals(journal);
    }

    /** Describes the settings that did not take effect; empty if all did. */
    List<String> refusedSettings(int expectedBusyTimeout) {
        List<String> refused = new ArrayList<>();
        if (!isWal()) {
            refused.add("journal_mode is " + journal + " instead of wal");
        }
        if (synchronous != FULL) {
            refused.add("synchronous is " + synchronous + " instead of 2 (FULL)");
        }
        if (recursiveTriggers != 1) {
            refused.add("recursive_triggers is off");
        }
        if (!encoding.equals(UTF_8)) {
            refused.add("encoding is " + encoding + " instead of " + UTF_8);
        }
        if (busyTimeout != expectedBusyTimeout) {
            refused.add("busy_timeout is " + busyTimeout + " instead of " + expectedBusyTimeout);
        }
        return refused;
    }
}
