package dev.idem.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SqlStatementsTest {
    @Test
    void statementsAreFoundByNameWithoutTheirComments() {
        SqlStatements statements =
                read("-- A file.\n-- :one\nSELECT 1\n  -- why\n  FROM a\n\n-- For two.\n-- :two\nCOMMIT");

        assertThat(statements.names()).containsExactly("one", "two");
        assertThat(statements.get("one")).isEqualTo("SELECT 1 FROM a");
        assertThat(statements.get("two")).isEqualTo("COMMIT");
        assertThatThrownBy(() -> statements.get("three")).hasMessageContaining("three");
    }

    @Test
    void whatStandsForSomethingIsFilledIn() {
        String text = "-- :find\nSELECT {entry} FROM entry";
        SqlStatements statements = SqlStatements.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                sql -> sql.replace("{entry}", "fence"));

        assertThat(statements.get("find")).isEqualTo("SELECT fence FROM entry");
    }

    @Test
    void aStatementWithoutANameOrATextIsRefused() {
        assertThatThrownBy(() -> read("SELECT 1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> read("-- :one\n-- :two\nCOMMIT")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> read("-- :one\nA\n-- :one\nB")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> SqlStatements.read(null)).hasMessageContaining("missing from the jar");
    }

    private static SqlStatements read(String text) {
        return SqlStatements.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }
}
