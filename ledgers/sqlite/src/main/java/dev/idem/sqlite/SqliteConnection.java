package dev.idem.sqlite;

import dev.idem.sql.SqlStatements;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** One connection with its settings and its prepared statements. For one thread at a time. */
final class SqliteConnection implements AutoCloseable {
    static final SqlStatements STATEMENTS = SqlStatements.read(
            SqliteConnection.class.getResourceAsStream("statements.sql"),
            sql -> sql.replace("{row}", EntryTable.COLUMNS));

    /** Pages in the log before a commit moves them into the database. */
    private static final int CHECKPOINT_PAGES = 1000;

    private static final int LONGEST_LOG = 64 << 20;

    /** At most; taken only as far as there are pages. */
    private static final int CACHE_KIB = 16 << 10;

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private final int busyMillis;

    private SqliteConnection(Connection connection, int busyMillis) {
        this.connection = connection;
        this.busyMillis = busyMillis;
    }

    /** Loads what every connection needs beside the library. The driver makes a date format, which takes as long. */
    static void prepare() {
        new SQLiteConfig().toProperties();
    }

    /** What the driver is told about every connection. */
    static Properties settings(SqliteOptions options) {
        SQLiteConfig config = new SQLiteConfig();
        // A file that has vanished must not come back empty.
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        // One thread at a time uses a connection.
        config.setOpenMode(SQLiteOpenMode.NOMUTEX);
        config.setGetGeneratedKeys(false);
        config.setBusyTimeout(busyMillis(options));
        return config.toProperties();
    }

    private static int busyMillis(SqliteOptions options) {
        return (int) Math.min(options.busy().toMillis(), Integer.MAX_VALUE);
    }

    /** How a connection is had, so that tests can have one that fails. */
    @FunctionalInterface
    interface Driver {
        Connection connect(Path file, Properties settings) throws SQLException;

        static Driver real() {
            return (file, settings) -> JDBC.createConnection("jdbc:sqlite:" + file, settings);
        }

        /**
         * Connections that can't write. In a folder that can't be written to, SQLite can't make the files beside the
         * database that it shares with writers; where there is no log, there is no writer either, and none are needed.
         */
        static Driver looking() {
            return (file, settings) -> {
                File log = new File(file + "-wal");
                Path folder = Objects.requireNonNull(file.getParent(), "a file has a folder");
                boolean alone = !Files.isWritable(folder) && log.length() == 0;
                return JDBC.createConnection(
                        "jdbc:sqlite:" + file.toUri() + (alone ? "?immutable=1" : "?mode=ro"), settings);
            };
        }
    }

    /** Opens an existing file and sets what a connection has to set; nothing in the file is changed. */
    static SqliteConnection open(Driver driver, Path file, SqliteOptions options, Properties settings)
            throws SQLException {
        int busyMillis = busyMillis(options);
        Connection connection = driver.connect(file, settings);
        SqliteConnection sqlite = new SqliteConnection(connection, busyMillis);
        try {
            sqlite.execute(
                    "PRAGMA synchronous = FULL; PRAGMA recursive_triggers = ON; PRAGMA busy_timeout = " + busyMillis
                            + "; PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES + "; PRAGMA journal_size_limit = "
                            + LONGEST_LOG + "; PRAGMA cache_size = -" + CACHE_KIB
                            + (options.maxPages() == 0 ? "" : "; PRAGMA max_page_count = " + options.maxPages()));
            sqlite.manualCommit();
            return sqlite;
        } catch (SQLException | RuntimeException e) {
            sqlite.close();
            throw e;
        }
    }

    /**
     * Tells the driver to leave transactions alone: it would try to end one after every single statement. What it then
     * begins by itself is ended at once; transactions are begun and ended by statements of ours.
     */
    private void manualCommit() throws SQLException {
        connection.setAutoCommit(false);
        run("commit");
    }

    Header header() throws SQLException {
        return Header.read(connection);
    }

    List<String> refusedSettings(Header header) {
        return header.refusedSettings(busyMillis);
    }

    /** A named statement, prepared once. */
    PreparedStatement statement(String name) throws SQLException {
        PreparedStatement statement = prepared.get(name);
        if (statement == null) {
            statement = connection.prepareStatement(STATEMENTS.get(name));
            prepared.put(name, statement);
        }
        return statement;
    }

    /** A statement that is made at run time; the caller closes it. */
    PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /** A number that stays the same as long as no other connection commits anything. */
    long dataVersion() throws SQLException {
        try (ResultSet row = statement("data-version").executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Runs a named statement that has no parameters. */
    void run(String name) throws SQLException {
        statement(name).executeUpdate();
    }

    /** Runs a script of any number of statements. */
    void execute(String script) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(script);
        }
    }

    Connection connection() {
        return connection;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
