package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Failure;
import dev.idem.entry.Moment;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Query;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people look for is found through an index, and purging is done in short steps. */
class BrowsingTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Test
    void what_people_look_for_has_an_index() throws SQLException {
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        assertThat(plan(file, Query.all())).contains("PRIMARY KEY (rowid<?)").doesNotContain("TEMP B-TREE");
        assertThat(plan(file, Query.all().withStates(State.IN_DOUBT)))
                .contains("span_open")
                .contains("SEARCH opened USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
        assertThat(plan(file, Query.all().withStates(State.FAILED, State.IN_PROGRESS)))
                .contains("span_open")
                .contains("TABLE failed FOR IN-OPERATOR")
                .doesNotContain("SCAN entry");
        assertThat(plan(file, Query.all().withKey("k"))).contains("entry_address (key=?");
        assertThat(plan(file, Query.all().withLabels(Map.of("customer", "cus_1"))))
                .contains("SEARCH label USING PRIMARY KEY (name=? AND value=?")
                .doesNotContain("SCAN entry");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("due-span"))).contains("span_due (due<?)");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("due-entries")))
                .contains("PRIMARY KEY (rowid>? AND rowid<?)");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("ended-spans"))).contains("span_open");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("in-progress")))
                .contains("span_open")
                .contains("SEARCH entry USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)");
        assertThat(plan(file, SqliteConnection.STATEMENTS.get("find")))
                .contains("entry_address (key=? AND operation=? AND scope=?");
    }

    @Test
    void what_has_failed_once_and_is_complete_now_is_no_longer_kept_as_failed() throws SQLException {
        Path file = folder.resolve("idem.db");
        String failed = "SELECT count(*) FROM failed";
        try (SqliteLedger ledger = Fixtures.open(file)) {
            ledger.settle(
                    Fixtures.take(ledger, "k"),
                    new Settlement.Failed(new Failure("Refused", "no"), false, Retention.DEFAULT));
            assertThat(Fixtures.number(file, failed)).isEqualTo(1);
            Fixtures.complete(ledger, "k");
            assertThat(Fixtures.number(file, failed)).isZero();
        }
    }

    @Test
    void a_large_purge_is_many_short_commits() {
        SettableClocks clocks = new SettableClocks();
        try (SqliteLedger ledger = SqliteLedger.open(
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
            assertThat(ledger.commitCount() - before).isGreaterThan(4);
            assertThat(ledger.browse(Query.all()).entries())
                    .singleElement()
                    .extracting(entry -> entry.address().key())
                    .isEqualTo("stays");
        }
    }

    private static String plan(Path file, Query query) throws SQLException {
        return plan(
                file,
                BrowseSql.of(query, Moment.ofWall(new SettableClocks().now().wall()))
                        .text());
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
