package dev.idem.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
final class PostgresqlServerTest {
    @TempDir
    Path folder;

    @Test
    void serversThatStartFromTheSameHaveDatabasesOfTheirOwn() throws Exception {
        Path one = Files.createDirectory(folder.resolve("one"));
        Path two = Files.createDirectory(folder.resolve("two"));
        try (PostgresqlServer first = new PostgresqlServer(one);
                PostgresqlServer second = new PostgresqlServer(two)) {
            execute(first, "CREATE TABLE mine (id int)");
            execute(first, "SELECT * FROM mine");

            assertThatThrownBy(() -> execute(second, "SELECT * FROM mine")).isInstanceOf(SQLException.class);
            assertThat(first.data()).startsWith(one);
            assertThat(second.data()).startsWith(two);
        }
        assertThat(one.resolve("postgresql/postmaster.pid")).as("it has ended").doesNotExist();
        assertThat(two.resolve("postgresql/postmaster.pid")).as("it has ended").doesNotExist();
    }

    private static void execute(PostgresqlServer server, String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
