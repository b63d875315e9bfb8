package dev.idem.spring.tx;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Idem;
import dev.idem.lab.PostgresqlServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

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

    /** A new database of the server that all tests share. */
    static Place postgresql(String name) throws SQLException {
        int port = Server.SHARED.port();
        try (Connection connection = Server.SHARED.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE IF EXISTS " + name + " WITH (FORCE)");
            statement.execute("CREATE DATABASE " + name);
        }
        return new Place(
                        "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=postgres",
                        "postgresql://postgres@127.0.0.1:" + port + "/" + name + "?pool=2&lock=200ms")
                .withTable();
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

        private static PostgresqlServer started() {
            try {
                PostgresqlServer server = new PostgresqlServer(Path.of(
                                "target",
                                "postgresql-" + ProcessHandle.current().pid())
                        .toAbsolutePath());
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    try {
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
