package dev.idem.gauntlet;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/** How contenders reach the PostgreSQL server: a schema for each store, and eight pooled connections, as Idem has. */
final class Postgresql {
    private static final int CONNECTIONS = 8;

    private Postgresql() {}

    /** A schema that belongs to a folder. */
    static String schema(Path folder) {
        return String.format(
                Locale.ROOT, "s%08x", folder.toAbsolutePath().normalize().hashCode());
    }

    static String jdbcUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Connections whose tables are in the schema, which is made. */
    static HikariDataSource pool(int port, String schema) throws SQLException {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl(port) + "?currentSchema=" + schema);
        pool.setUsername("postgres");
        pool.setMaximumPoolSize(CONNECTIONS);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA IF NOT EXISTS " + schema);
            return pool;
        } catch (SQLException e) {
            pool.close();
            throw e;
        }
    }
}
