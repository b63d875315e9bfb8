package dev.idem.postgresql;

import dev.idem.LedgerUnreadableException;
import dev.idem.internal.sql.Migration;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks the settings of the server, and creates or updates the schema, before the first step. */
final class Opening {
    /** Later formats look rows up faster and write them more safely; a ledger that is only looked at may wait for them. */
    private static final int OLDEST_READABLE = 2;

    private static final int OLDEST_SERVER = 130_000;
    private static final int PER_VERSION = 10_000;

    private final Database database;
    private final Statements statements;
    private final PostgresqlSettings settings;
    private final PostgresqlErrors errors;

    Opening(Server server) {
        this.database = server.database();
        this.statements = server.statements();
        this.settings = server.settings();
        this.errors = server.errors();
    }

    /** Opens the ledger, or throws a {@link dev.idem.LedgerException} that says what to do. */
    void open() {
        try (Connection connection = database.direct()) {
            Database.committing(connection, this::make);
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    /** The same for a ledger that is only read: it must exist, and read access is enough. */
    void look() {
        try (Connection connection = database.direct()) {
            Database.committing(connection, this::requireThere);
        } catch (SQLException e) {
            throw errors.of(e);
        }
    }

    private boolean requireThere(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet server = statement.executeQuery(statements.get("server"))) {
            server.next();
            requireVersion(server.getInt(1));
            if (!server.getBoolean(7)) {
                throw errors.unreadable(
                        "has no ledger in schema " + settings.schema()
                                + ". Check the database and ?schema=: reading does not create a ledger",
                        null);
            }
        }
        if (PostgresqlSchema.all().newest() - pending(connection).size() < OLDEST_READABLE) {
            throw notUpToDate("it is only looked at", null, connection);
        }
        return true;
    }

    private void requireVersion(int version) {
        if (version < OLDEST_SERVER) {
            throw errors.unreadable(
                    "is PostgreSQL " + version / PER_VERSION + "; Idem needs " + OLDEST_SERVER / PER_VERSION
                            + " or later",
                    null);
        }
    }

    private boolean make(Connection connection) throws SQLException {
        boolean upToDate = requireTrusted(connection) && pending(connection).isEmpty();
        if (!upToDate) {
            makeSchema(connection);
        }
        requireRights(connection);
        return upToDate;
    }

    /** Checks the server's settings, and returns whether there is a ledger. */
    private boolean requireTrusted(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet server = statement.executeQuery(statements.get("server"))) {
            server.next();
            requireVersion(server.getInt(1));
            requireSetting(
                    "server_encoding", server.getString(2), "UTF8", "name a database that was created with UTF8");
            if (server.getBoolean(3)) {
                throw errors.unreadable("is a read-only replica: name the primary server instead", null);
            }
            requireSetting(
                    "transaction_read_only",
                    server.getString(4),
                    "off",
                    "undo it with ALTER ROLE … SET default_transaction_read_only = off, or name another role");
            if ("off".equals(server.getString(5))) {
                throw errors.unreadable(
                        "would lose answered entries in a crash: synchronous_commit is off. Turn it on with ALTER ROLE"
                                + " … SET synchronous_commit = on (or for the database, or in postgresql.conf)",
                        null);
            }
            if ("off".equals(server.getString(6))) {
                System.getLogger("dev.idem")
                        .log(Level.WARNING, "the server of a ledger has fsync off: a crash can lose its entries");
            }
            return server.getBoolean(7);
        }
    }

    private void requireSetting(String name, @Nullable String is, String must, String remedy) {
        if (!must.equals(is)) {
            throw errors.unreadable("can't be used: " + name + " is " + is + ", not " + must + "; " + remedy, null);
        }
    }

    private List<Migration> pending(Connection connection) throws SQLException {
        Map<Integer, String> applied = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(statements.get("migrations"))) {
            while (rows.next()) {
                applied.put(rows.getInt(1), rows.getString(2));
            }
        }
        return PostgresqlSchema.all().pending(applied, "ledger in schema " + settings.schema());
    }

    /** Creates the schema in one transaction under a lock, so that it is never incomplete. */
    private void makeSchema(Connection connection) throws SQLException {
        if (!settings.migrates()) {
            throw notUpToDate("migrate=off forbids to change it", null, connection);
        }
        connection.setAutoCommit(false);
        try {
            migrate(connection);
            connection.commit();
        } catch (SQLException | RuntimeException e) {
            connection.rollback();
            if (e instanceof SQLException failed
                    && PostgresqlErrors.state(failed).equals(PostgresqlErrors.NO_RIGHTS)) {
                connection.setAutoCommit(true);
                throw notUpToDate("this role may not change it", failed, connection);
            }
            throw e;
        }
        connection.setAutoCommit(true);
    }

    private void migrate(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(PostgresqlSchema.SEARCH_PATH);
            statement.execute(statements.get("lock-migrations"));
            boolean isNew = !ask(statement, "schema-exists");
            if (isNew) {
                statement.execute("CREATE SCHEMA " + settings.schema());
            }
            if (!ask(statement, "ledger-exists")) {
                statement.execute(PostgresqlSchema.table(settings.schema()));
            }
            for (Migration migration : pending(connection)) {
                statement.execute(Statements.in(settings.schema(), migration.sql()));
                try (PreparedStatement insert = connection.prepareStatement(statements.get("migrated"))) {
                    insert.setInt(1, migration.version());
                    insert.setString(2, migration.name());
                    insert.setString(3, migration.checksum());
                    insert.executeUpdate();
                }
            }
        }
    }

    private boolean ask(Statement statement, String question) throws SQLException {
        try (ResultSet row = statement.executeQuery(statements.get(question))) {
            return row.next() && row.getBoolean(1);
        }
    }

    private LedgerUnreadableException notUpToDate(String why, @Nullable SQLException cause, Connection connection)
            throws SQLException {
        int format = 0;
        try (Statement statement = connection.createStatement()) {
            if (ask(statement, "ledger-exists")) {
                format = PostgresqlSchema.all().newest() - pending(connection).size();
            }
        }
        return errors.unreadable(
                (format == 0
                                ? "has no schema " + settings.schema()
                                : "has an older schema " + settings.schema() + " (format " + format + ")")
                        + ", and " + why + ". Have an administrator apply this SQL, then open it again:\n\n"
                        + PostgresqlSchema.sql(settings.schema(), format),
                cause);
    }

    private void requireRights(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(statements.get("missing-rights"))) {
            row.next();
            String missing = row.getString(1);
            if (missing != null) {
                throw errors.unreadable(
                        "lacks rights on schema " + settings.schema() + ". Have its owner run: " + missing, null);
            }
        }
    }
}
