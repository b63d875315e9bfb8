package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Address;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Fence;
import dev.idem.entry.Fingerprints;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Owner;
import dev.idem.entry.Payload;
import dev.idem.entry.ProcessRef;
import dev.idem.entry.Result;
import dev.idem.entry.Retention;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.ledger.Claim;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Query;
import dev.idem.ledger.TrailLine;
import dev.idem.sql.SqlStatements;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that older versions wrote are read by this one. */
class FormatTest {
    private static final Retention WITH_TOMBSTONE =
            Retention.of(Duration.ofDays(7)).withTombstone(Duration.ofDays(30));

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private SqliteLedger ledger;

    @BeforeEach
    void open() throws SQLException {
        Path file = folder.resolve("format-1.db");
        Fixtures.meddle(file, SqlStatements.text(FormatTest.class.getResourceAsStream("format-1.sql")));
        SettableClocks clocks = new SettableClocks();
        clocks.advance(Duration.parse("PT6M15.25S"));
        ledger = SqliteLedger.open(SqliteOptions.at(file), new LedgerContext(clocks, new SettableProcesses()));
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void a_complete_entry_with_all_it_may_have() {
        Entry entry = find("complete");
        assertThat(entry.state()).isEqualTo(State.COMPLETE);
        assertThat(entry.fence()).isEqualTo(new Fence(1));
        assertThat(entry.attempt()).isEqualTo(1);
        assertThat(entry.replays()).isEqualTo(2);
        assertThat(entry.labels()).isEqualTo(Map.of("customer", "cus_1", "città", "Zürich"));
        assertThat(entry.parent()).isEqualTo(new Address("shop", "checkout", "order-1"));
        assertThat(entry.fingerprints()).isEqualTo(new Fingerprints("1d".repeat(32), "c0".repeat(32)));
        assertThat(entry.tenure().owner()).isEqualTo(new Owner("pid 17", new ProcessRef("host-1", 17, 1234)));
        assertThat(entry.tenure().attemptId()).hasToString("000000000000a77e0000000000000001");
        assertThat(entry.tenure().lease())
                .isEqualTo(new Moment(Instant.parse("2026-03-01T12:00:31.123456Z"), "boot-1", 3_631_000_000_000L));
        assertThat(entry.tenure().limit())
                .isEqualTo(new Moment(Instant.parse("2026-03-01T12:05:01.123456Z"), "boot-1", 3_901_000_000_000L));
        assertThat(entry.times().created()).isEqualTo(Instant.parse("2026-03-01T12:00:01.123456Z"));
        assertThat(entry.times().settled()).isEqualTo(Instant.parse("2026-03-01T12:00:01.373456Z"));
        assertThat(entry.times().expires()).isEqualTo(Instant.parse("2026-03-08T12:00:01.373456Z"));
        assertThat(entry.settlement())
                .isEqualTo(new Settlement.Completed(
                        new Result.Stored(Payload.of(
                                "{\"receipt\":\"r-1 é\"}".getBytes(StandardCharsets.UTF_8),
                                "application/json",
                                "json")),
                        Effect.CREATED,
                        Retention.DEFAULT));
        assertThat(ledger.browse(Query.all().withLabels(Map.of("città", "Zürich")))
                        .entries())
                .containsExactly(entry);
    }

    @Test
    void every_kind_of_settlement() {
        assertThat(find("gzip").settlement())
                .isEqualTo(new Settlement.Completed(
                        new Result.Stored(
                                new Payload(new byte[] {0x1f, (byte) 0x8b, 0, -1}, "text/plain", "text", Payload.GZIP)),
                        Effect.NOOP,
                        WITH_TOMBSTONE));
        assertThat(find("unavailable").settlement())
                .isEqualTo(new Settlement.Completed(
                        new Result.Unavailable("it has 20 MiB"), Effect.DELETED, WITH_TOMBSTONE));
        assertThat(find("kept-failure").settlement())
                .isEqualTo(new Settlement.Failed(
                        new Failure("java.io.IOException", "refused \"here\"\n"), true, Retention.DEFAULT));
        assertThat(find("not-executed").settlement())
                .isEqualTo(new Settlement.NotExecuted("the bank knows of none", Retention.DEFAULT));
        assertThat(find("in-doubt").settlement())
                .isEqualTo(new Settlement.Doubtful(new Failure("java.net.SocketTimeoutException", "")));
    }

    @Test
    void doubt_marks_probes_and_tombstones() {
        Entry doubted = find("in-doubt");
        assertThat(doubted.state()).isEqualTo(State.IN_DOUBT);
        assertThat(doubted.tenure().staged()).isTrue();
        assertThat(doubted.tenure().marks())
                .containsExactly(Mark.of("charging"), new Mark("started", new ProcessRef("host-1", 18, 5678)));
        assertThat(doubted.doubt().since()).isEqualTo(Instant.parse("2026-03-01T12:00:07.623456Z"));

        Entry probed = find("probing");
        assertThat(probed.state()).isEqualTo(State.IN_PROGRESS);
        assertThat(probed.probing()).isTrue();
        assertThat(probed.tenure().acted()).isEqualTo(new Fence(7));
        assertThat(probed.fence()).isEqualTo(new Fence(8));

        assertThat(find("expired").state()).isEqualTo(State.EXPIRED);
        assertThat(find("in-progress").state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void trails_of_entries_that_are_and_of_those_that_were() {
        assertThat(events("complete")).containsExactly("granted", "complete");
        assertThat(events("in-doubt")).containsExactly("granted", "marked", "marked", "in_doubt");
        assertThat(events("probing")).containsExactly("granted", "in_doubt", "probing");
        assertThat(events("forgotten")).containsExactly("granted", "failed", "forgotten");
    }

    @Test
    void the_fence_goes_on_from_where_it_was() {
        Claim.Granted granted = (Claim.Granted) ledger.claim(Fixtures.request("new"));
        assertThat(granted.entry().fence()).isEqualTo(new Fence(12));
    }

    /** For people who look into the file with other tools. */
    @Test
    void a_view_shows_every_part_by_its_name() throws SQLException {
        Path file = folder.resolve("format-1.db");
        assertThat(Fixtures.texts(
                        file,
                        "SELECT fence, state, replays, created, settled, expires, attempt, owner, owner_pid, lease_wall,"
                                + " limit_boot, limit_nanos, staged, acted, labels, outcome, effect, keep, media_type, origin,"
                                + " lines, began, ended FROM entries WHERE key = 'complete'"))
                .containsExactly(
                        "1",
                        "complete",
                        "2",
                        "1772366401123456",
                        "1772366401373456",
                        "1772971201373456",
                        "1",
                        "pid 17",
                        "17",
                        "1772366431123456",
                        "boot-1",
                        "3901000000000",
                        "0",
                        "1",
                        "{\"città\":\"Zürich\",\"customer\":\"cus_1\"}",
                        "completed",
                        "created",
                        "604800000000",
                        "application/json",
                        "1",
                        "0",
                        "granted",
                        "complete");
        assertThat(Fixtures.texts(
                        file,
                        "SELECT doubt_since, lines, marks, failure_type, failure_message, ended FROM entries"
                                + " WHERE key = 'in-doubt'"))
                .containsExactly(
                        "1772366407623456",
                        "3",
                        "[{\"name\":\"charging\"},{\"name\":\"started\",\"host\":\"host-1\",\"pid\":18,\"start\":5678}]",
                        "java.net.SocketTimeoutException",
                        "",
                        "in_doubt");
        assertThat(Fixtures.texts(
                        file, "SELECT origin, acted, created < claimed, began FROM entries WHERE key = 'probing'"))
                .containsExactly("7", "7", "1", "probing");
        assertThat(Fixtures.texts(file, "SELECT kept, failure_message FROM entries WHERE key = 'kept-failure'"))
                .containsExactly("1", "refused \"here\"\n");
        assertThat(Fixtures.texts(file, "SELECT reason, tombstone, body FROM entries WHERE key = 'unavailable'"))
                .containsExactly("it has 20 MiB", "2592000000000", null);
    }

    private Entry find(String key) {
        return ledger.find(new Address("shop", "charge", key)).orElseThrow();
    }

    private List<String> events(String key) {
        return ledger.trail(new Address("shop", "charge", key)).stream()
                .map(TrailLine::event)
                .toList();
    }
}
