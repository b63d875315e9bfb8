package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.State;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Retention;
import dev.idem.spi.browse.Match;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches use an index, and a purge goes in short steps. */
class BrowsingTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Test
    void whatPeopleLookForHasAnIndex() throws SQLException {
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        assertThat(plan(file, Query.all())).contains("PRIMARY KEY (rowid<?)").doesNotContain("TEMP B-TREE");
        assertThat(plan(file, Query.all().withKey("k"))).contains("entries_address (key=?");
        assertThat(plan(file, Query.all().withScope("s")))
                .contains("entries_scope (scope=? AND rowid<?)")
                .doesNotContain("TEMP B-TREE");
        assertThat(plan(file, Query.all().withKeyLike(Match.prefix("k"))))
                .contains("entries_address (key>? AND key<?)");
        assertThat(plan(file, Query.all().withScopes(List.of(Match.prefix("a/")))))
                .contains("entries_scope (scope>? AND scope<?)");
        assertThat(plan(file, Query.all(), EnumSet.of(State.IN_PROGRESS, State.IN_DOUBT)))
                .contains("entries_open (state=?)");
        assertThat(plan(file, Query.all().withLabels(Map.of("customer", "cus_1"))))
                .contains("SEARCH main.labels USING PRIMARY KEY (name=? AND value=?")
                .doesNotContain("SCAN main.entries");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("due")))
                .contains("entries_due (due>? AND due<?)")
                .doesNotContain("TEMP B-TREE");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("count-due"))).contains("entries_due (due<?)");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("read")))
                .contains("entries_address (key=? AND operation=? AND scope=?");
    }

    @Test
    void aLargePurgeIsAShortCommitForEachHundredEntries() {
        SettableClocks clocks = new SettableClocks();
        try (TestLedger ledger = TestLedger.open(
                SqliteOptions.at(folder.resolve("idem.db")), new LedgerContext(clocks, new SettableProcesses()))) {
            for (int i = 0; i < 300; i++) {
                ledger.settle(
                        Fixtures.take(ledger, "k" + i),
                        Fixtures.completed(new byte[10], Retention.of(Duration.ofHours(1))));
            }
            Fixtures.complete(ledger, "stays");
            clocks.advance(Duration.ofHours(2));
            long before = ledger.commitCount();
            assertThat(ledger.purge(10)).isEqualTo(10);
            assertThat(ledger.purge(10_000)).isEqualTo(290);
            assertThat(ledger.commitCount() - before).isEqualTo(1 + 3);
            assertThat(ledger.browse(Query.all()).entries())
                    .singleElement()
                    .extracting(entry -> entry.address().key())
                    .isEqualTo("stays");
        }
    }

    /** A beginning that many names have would be looked up and sorted; in the order of the fences a page is soon full. */
    @Test
    void whatManyRowsHaveIsNotSorted() throws SQLException {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(file)) {
            Fixtures.take(ledger, "k");
        }
        try (Connection connection = Fixtures.stranger(file);
                PreparedStatement many = connection.prepareStatement("""
                        INSERT INTO entries (scope, operation, key, state, version, claimed, lease, replays, document)
                        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                        SELECT 'a/' || i, operation, 'idem_' || i, 'failed', i, claimed, lease, 0, document
                        FROM entries, n""")) {
            assertThat(many.executeUpdate()).isEqualTo(3000);
        }
        String inOrder = "PRIMARY KEY (rowid<?)";
        assertThat(plan(file, Query.all().withKeyLike(Match.prefix("idem_")))).contains(inOrder);
        assertThat(plan(file, Query.all().withKeyLike(Match.prefix("idem_77")))).contains("entries_address (key>?");
        assertThat(plan(file, Query.all().withScopes(List.of(Match.prefix("a/")))))
                .contains(inOrder);
        assertThat(plan(file, Query.all().withScopes(List.of(Match.prefix("a/77"), Match.exactly("b")))))
                .contains("entries_scope");
        assertThat(plan(file, Query.all(), EnumSet.of(State.FAILED))).contains(inOrder);
        assertThat(plan(file, Query.all(), EnumSet.of(State.IN_DOUBT, State.IN_PROGRESS)))
                .as("few doubts among many failures")
                .contains("entries_open");
    }

    private static String plan(Path file, Query query) throws SQLException {
        return plan(file, query, EnumSet.allOf(State.class));
    }

    private static String plan(Path file, Query query, Set<State> stored) throws SQLException {
        Instant now = new SettableClocks().now().wall();
        SqliteOptions options = SqliteOptions.at(file);
        try (SqliteConnection sqlite = SqliteConnection.open(
                SqliteConnection.Driver.real(), file, options, SqliteConnection.settings(options))) {
            return plan(file, new QuerySql(sqlite, query, stored, Long.MAX_VALUE, now).sql("scan"));
        }
    }

    private static String plan(Path file, String sql) throws SQLException {
        StringBuilder plan = new StringBuilder();
        try (Connection connection = Fixtures.stranger(file);
                PreparedStatement explain = connection.prepareStatement("EXPLAIN QUERY PLAN " + sql);
                ResultSet rows = explain.executeQuery()) {
            while (rows.next()) {
                plan.append(rows.getString("detail")).append('\n');
            }
        }
        return plan.toString();
    }
}
