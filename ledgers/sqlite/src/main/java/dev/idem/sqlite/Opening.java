package dev.idem.sqlite;

import dev.idem.LedgerException;
import dev.idem.LedgerUnreadableException;
import dev.idem.internal.sql.Migration;
import dev.idem.internal.sql.Migrations;
import dev.idem.internal.sql.SqlStatements;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/** Creates or migrates the database, then opens connections to it. */
final class Opening {
    static final List<String> MIGRATION_FILES = List.of("001-entries.sql", "002-search.sql", "003-hours.sql");

    /** The checksums of the migrations, so that opening a current file needs neither their texts nor a digest. */
    static final List<String> CHECKSUMS = List.of(
            "1a800561d8034e9283ee8f25087741802bca26f9300c9f6a07875cd24bf8cdee",
            "6d57bb9bb19bf5a4160615cd4a2b49323e83a9110c2ccad382e01062c1392257",
            "eb455a1168f89e094035ec49db5354fde2e5b7ef372dd628c35dade81daa3abe");

    /** Later formats have only more indexes and figures, so a ledger that is only looked at may wait for them. */
    private static final int OLDEST_READABLE = 1;

    private static final int PAGE_BYTES = 2048;

    private final SqliteConnection.Driver driver;
    private final DatabaseFile file;
    private final SqliteOptions options;
    private final SqliteErrors errors;
    private final Properties settings;
    private final boolean readOnly;

    Opening(
            SqliteConnection.Driver driver,
            DatabaseFile file,
            SqliteOptions options,
            SqliteErrors errors,
            boolean readOnly) {
        this.driver = driver;
        this.file = file;
        this.options = options;
        this.errors = errors;
        this.readOnly = readOnly;
        // Before the native library is needed, which another thread may be loading: this takes as long.
        this.settings = SqliteConnection.settings(options);
    }

    static Migrations migrations() {
        return new Migrations(MIGRATION_FILES.stream()
                .map(name ->
                        Migration.of(name, SqlStatements.text(Opening.class.getResourceAsStream("migrations/" + name))))
                .toList());
    }

    /** Creates the database if it is missing, migrates it, and returns a first connection. */
    SqliteConnection first(Instant now) {
        if (readOnly) {
            return looking();
        }
        file.requireUsable();
        loadDriver();
        return ready().orElseGet(() -> new LockFile(file.lockFile(), options.busy())
                .whileHeld(() -> ready().orElseGet(() -> made(now)), this::ready));
    }

    /** A first connection to an existing database that is only read. */
    private SqliteConnection looking() {
        file.requireReadable();
        loadDriver();
        return opened(this::requireKnown);
    }

    /** Loads the large native library before the lock is taken, so that no process waits for it. */
    private void loadDriver() {
        try {
            SqliteNative.load();
        } catch (Exception e) {
            throw errors.unavailable(
                    "can't be used: the native library of SQLite can't be loaded. " + e.getMessage(), e);
        }
    }

    private SqliteConnection made(Instant now) {
        file.createIfMissing();
        return opened(sqlite -> {
            setUp(sqlite, now);
            requireReady(sqlite);
        });
    }

    /** Another connection. Its settings are read back, because SQLite ignores a refused setting silently. */
    SqliteConnection next() {
        return opened(this::requireReady);
    }

    private SqliteConnection opened(Preparation preparation) {
        try {
            SqliteConnection sqlite = SqliteConnection.open(driver, file.path(), options, settings);
            try {
                preparation.prepare(sqlite);
                return sqlite;
            } catch (SQLException | RuntimeException e) {
                sqlite.close();
                throw e;
            }
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    private void requireReady(SqliteConnection sqlite) throws SQLException {
        Header header = sqlite.header();
        requireOurs(header);
        if (header.format() > MIGRATION_FILES.size()) {
            migrations().requireKnown(header.format(), where());
        }
        // These make writing safe.
        List<String> refused = readOnly ? new ArrayList<>() : sqlite.refusedSettings(header);
        int oldest = readOnly ? OLDEST_READABLE : MIGRATION_FILES.size();
        if (header.format() < oldest) {
            refused.add("its format is " + header.format() + " instead of " + oldest);
        }
        if (!refused.isEmpty()) {
            throw new LedgerUnreadableException(
                    where() + " does not take the settings that make it safe: " + String.join(", ", refused)
                            + ". Check what else uses the file, or name another ledger",
                    null);
        }
    }

    /** Checks once that the database was created by the known migrations. */
    private void requireKnown(SqliteConnection sqlite) throws SQLException {
        requireReady(sqlite);
        List<String> applied = List.copyOf(applied(sqlite).values());
        if (!applied.equals(CHECKSUMS.subList(0, Math.min(applied.size(), CHECKSUMS.size())))) {
            throw new LedgerUnreadableException(where() + " was made by other steps", null);
        }
    }

    /** A connection if the database is current; empty if it must be created, migrated or refused under the lock. */
    private Optional<SqliteConnection> ready() {
        try {
            return file.hasContent() ? Optional.of(opened(this::requireKnown)) : Optional.empty();
        } catch (LedgerException e) {
            return Optional.empty();
        }
    }

    private void setUp(SqliteConnection sqlite, Instant now) throws SQLException {
        Header header = sqlite.header();
        if (!header.isNew()) {
            requireOurs(header);
            migrations().requireKnown(header.format(), where());
        }
        if (header.isNew()) {
            // A step changes one or two rows: small pages mean fewer bytes written.
            sqlite.execute("PRAGMA page_size = " + PAGE_BYTES);
        }
        if (!header.isWal()) {
            sqlite.execute("PRAGMA journal_mode = WAL");
        }
        sqlite.run("begin");
        try {
            migrate(sqlite, header.isNew(), now);
            sqlite.run("commit");
        } catch (SQLException | RuntimeException e) {
            sqlite.run("rollback");
            throw e;
        }
    }

    private void migrate(SqliteConnection sqlite, boolean isNew, Instant now) throws SQLException {
        if (isNew) {
            sqlite.execute("PRAGMA application_id = " + Header.IDEM);
            sqlite.run("create-migration");
        }
        Migrations migrations = migrations();
        for (Migration migration : migrations.pending(applied(sqlite), where())) {
            sqlite.execute(migration.sql());
            PreparedStatement insert = sqlite.statement("migrated");
            insert.setInt(1, migration.version());
            insert.setString(2, migration.name());
            insert.setString(3, migration.checksum());
            insert.setString(4, now.toString());
            insert.executeUpdate();
        }
        sqlite.execute("PRAGMA user_version = " + migrations.newest());
    }

    private static Map<Integer, String> applied(SqliteConnection sqlite) throws SQLException {
        Map<Integer, String> applied = new TreeMap<>();
        try (ResultSet rows = sqlite.statement("migrations").executeQuery()) {
            while (rows.next()) {
                applied.put(rows.getInt(1), rows.getString(2));
            }
        }
        return applied;
    }

    private void requireOurs(Header header) {
        if (!header.isOurs()) {
            throw new LedgerUnreadableException(
                    where() + " is a SQLite database of another program (application id " + header.applicationId()
                            + ", " + header.tables() + " tables and indexes). It was left as it is; name another file",
                    null);
        }
    }

    private String where() {
        return "ledger " + file.path();
    }

    /** Prepares a new connection. */
    @FunctionalInterface
    private interface Preparation {
        void prepare(SqliteConnection sqlite) throws SQLException;
    }
}
