package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.State;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Retention;
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
import java.util.Map;
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
        assertThat(plan(file, Query.all().withLabels(Map.of("customer", "cus_1"))))
                .contains("SEARCH labels USING PRIMARY KEY (name=? AND value=?")
                .doesNotContain("SCAN entries");
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

    private static String plan(Path file, Query query) throws SQLException {
        Instant now = new SettableClocks().now().wall();
        return plan(file, new QuerySql(query, EnumSet.allOf(State.class), Long.MAX_VALUE, now).sql());
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
