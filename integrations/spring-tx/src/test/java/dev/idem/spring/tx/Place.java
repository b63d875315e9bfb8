package dev.idem.spring.tx;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.TempFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A database with a table of orders, and the ledger in it.
 *
 * @param jdbc the URL for the application
 * @param ledger the URL for Idem
 */
record Place(String jdbc, String ledger) {
    /** A new SQLite file. */
    static Place sqlite(Path folder) throws SQLException {
        Path file = folder.resolve("shop.db");
        return new Place("jdbc:sqlite:" + file, "sqlite:" + file).withTable();
    }

    /** An empty database of the server that all tests share. The class that uses this name has it for itself. */
    static Place postgresql(String name) throws SQLException {
        int port = Server.SHARED.port();
        Place place = new Place(
                "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=postgres",
                "postgresql://postgres@127.0.0.1:" + port + "/" + name + "?timeout=60s&pool=2&lock=200ms");
        if (Server.DATABASES.add(name)) {
            try (Connection connection = Server.SHARED.connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE DATABASE " + name);
            }
            return place.withTable();
        }
        try (Connection connection = place.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("TRUNCATE orders, idem.entries");
        }
        return place;
    }

    /** The ledger makes the file: it leaves files of other programs alone. */
    private Place withTable() throws SQLException {
        Idem.builder().ledger(ledger).quiet().open().close();
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE orders (id BIGINT PRIMARY KEY)");
        }
        return this;
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(jdbc);
    }

    HikariDataSource pool(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(jdbc);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }

    long orders() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*) FROM orders")) {
            row.next();
            return row.getLong(1);
        }
    }

    boolean isSqlite() {
        return jdbc.startsWith("jdbc:sqlite:");
    }

    private static final class Server {
        static final PostgresqlServer SHARED = started();
        static final Set<String> DATABASES = ConcurrentHashMap.newKeySet();

        private static PostgresqlServer started() {
            try {
                TempFolder folder = new TempFolder(Path.of(System.getProperty("java.io.tmpdir")));
                PostgresqlServer server = new PostgresqlServer(folder.path());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    try (folder) {
                        server.close();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
                return server;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
