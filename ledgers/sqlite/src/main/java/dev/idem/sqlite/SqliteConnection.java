package dev.idem.sqlite;

import dev.idem.internal.sql.SqlStatements;
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

    /** The maximum; SQLite allocates it only as needed. */
    private static final int CACHE_KIB = 16 << 10;

    private final Connection connection;
    private final Map<String, PreparedStatement> prepared = new HashMap<>();
    private final int busyMillis;

    private SqliteConnection(Connection connection, int busyMillis) {
        this.connection = connection;
        this.busyMillis = busyMillis;
    }

    /** Loads the classes of a connection. The driver creates a date format, which takes as long as the library. */
    static void prepare() {
        new SQLiteConfig().toProperties();
    }

    /** The driver's settings for every connection. */
    static Properties settings(SqliteOptions options) {
        SQLiteConfig config = new SQLiteConfig();
        // A deleted file must not be created again as an empty one.
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

    /** Opens connections, so that tests can use one that fails. */
    @FunctionalInterface
    interface Driver {
        Connection connect(Path file, Properties settings) throws SQLException;

        static Driver real() {
            return (file, settings) -> JDBC.createConnection("jdbc:sqlite:" + file, settings);
        }

        /**
         * Read-only connections. In a read-only folder SQLite can't create the side files that it shares with writers;
         * without a log there is no writer, and they are not needed.
         */
        static Driver looking() {
            return (file, settings) -> {
                File log = new File(file + "-wal");
                Path folder = Objects.requireNonNull(file.getParent(), "a file has a folder");
                boolean immutable = !Files.isWritable(folder) && log.length() == 0;
                return JDBC.createConnection(
                        "jdbc:sqlite:" + file.toUri() + (immutable ? "?immutable=1" : "?mode=ro"), settings);
            };
        }
    }

    /** Opens an existing file and applies the settings of a connection; does not change the file. */
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
     * Switches the driver's autocommit off, because it would try to end a transaction after every statement. The
     * transaction that the driver then begins is ended at once; our own statements begin and end transactions.
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

    /** A statement built at run time; the caller closes it. */
    PreparedStatement prepare(String sql) throws SQLException {
        return connection.prepareStatement(sql);
    }

    /** A number that changes when another connection commits. */
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

    /** The caller's connection, whose settings stay as they are. */
    static SqliteConnection ofCaller(Connection connection) {
        return new SqliteConnection(connection, 0);
    }

    void closeStatements() throws SQLException {
        for (PreparedStatement statement : prepared.values()) {
            statement.close();
        }
        prepared.clear();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
