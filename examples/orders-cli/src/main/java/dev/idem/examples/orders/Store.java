package dev.idem.examples.orders;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A SQLite file that stands in for the services. Opened for each request, as a service would be called. */
final class Store {
    private final Path file;

    Store(Path file) {
        this.file = file;
    }

    /** Changes rows, and gives the id of the last one that is new. */
    long change(String sql, Object... values) throws SQLException {
        try (Connection connection = open();
                PreparedStatement statement = prepared(connection, sql, values)) {
            statement.executeUpdate();
            try (Statement last = connection.createStatement();
                    ResultSet id = last.executeQuery("SELECT last_insert_rowid()")) {
                return id.getLong(1);
            }
        }
    }

    /** Reads rows. */
    List<Map<String, Object>> rows(String sql, Object... values) throws SQLException {
        try (Connection connection = open();
                PreparedStatement statement = prepared(connection, sql, values);
                ResultSet found = statement.executeQuery()) {
            List<Map<String, Object>> rows = new ArrayList<>();
            while (found.next()) {
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
                    row.put(found.getMetaData().getColumnLabel(i), found.getObject(i));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    private Connection open() throws SQLException {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
        } catch (IOException e) {
            throw new SQLException("the folder of the store can't be made: " + e, e);
        }
        Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=10000");
        try (Statement statement = connection.createStatement()) {
            for (String each : schema().split(";", -1)) {
                if (!each.isBlank()) {
                    statement.execute(each);
                }
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private static PreparedStatement prepared(Connection connection, String sql, Object... values) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private static String schema() {
        try (InputStream in = Objects.requireNonNull(Store.class.getResourceAsStream("schema.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^--.*$", "");
        } catch (IOException e) {
            throw new IllegalStateException("the schema can't be read", e);
        }
    }
}
