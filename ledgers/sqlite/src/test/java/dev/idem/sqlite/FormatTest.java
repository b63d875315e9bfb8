package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.internal.ledger.TimeText;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A person who opens the file with another tool can read its one table. */
class FormatTest {
    private static final Moment MORNING = new Moment(Instant.parse("2026-03-01T12:00:01.5Z"), "boot-1", 3_601_000_000L);

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private TestLedger ledger;

    @BeforeEach
    void open() {
        ledger = TestLedger.open(
                SqliteOptions.at(folder.resolve("idem.db")), new LedgerContext(() -> MORNING, new SettableProcesses()));
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private List<@Nullable String> row(String columns) throws SQLException {
        return Fixtures.texts(folder.resolve("idem.db"), "SELECT " + columns + " FROM entries");
    }

    private Ticket take(String label) {
        ClaimRequest request = Fixtures.request("k").withLabels(Map.of("customer", label));
        return ((Claim.Granted) ledger.claim(request)).ticket();
    }

    private long labels() throws SQLException {
        return Fixtures.number(folder.resolve("idem.db"), "SELECT count(*) FROM labels");
    }

    @Test
    void aCompleteEntryIsOneRowThatPeopleCanRead() throws SQLException {
        ledger.settle(take("città"), Fixtures.completed("{\"receipt\":1}"));
        assertThat(row("fence, scope, operation, key, state, claimed, settled, expires, due, replays, labels"))
                .containsExactly(
                        "1",
                        "default",
                        "charge",
                        "k",
                        "complete",
                        "2026-03-01T12:00:01.500000000Z 3601000000 boot-1",
                        "2026-03-01T12:00:01.500000000Z 3601000000 boot-1",
                        "2026-03-08T12:00:01.500000000Z",
                        "2026-03-08T12:00:01.500000000Z",
                        "0",
                        "{\"customer\":\"città\"}");
        assertThat(row("document ->> 'ending', document ->> 'owner', CAST(body AS TEXT)"))
                .containsExactly("completed", "tester", "{\"receipt\":1}");
    }

    @Test
    void aForgottenEntryIsToldAsSuch() throws SQLException {
        ledger.settle(take("ann"), Fixtures.completed("1"));
        assertThat(ledger.forget(ledger.find(Fixtures.address("k")).orElseThrow()))
                .isTrue();
        assertThat(row("state, labels, body")).containsExactly("forgotten", null, null);
        assertThat(labels()).isZero();
    }

    @Test
    void labelsFollowTheirEntryThroughGrantsAndPurges() throws SQLException {
        ledger.settle(take("ann"), Fixtures.completed("1"));
        assertThat(ledger.forget(ledger.find(Fixtures.address("k")).orElseThrow()))
                .isTrue();
        ledger.settle(take("bob"), Fixtures.completed("2"));
        assertThat(labels()).isEqualTo(1);
        assertThat(ledger.browse(Query.all().withLabels(Map.of("customer", "bob")))
                        .entries())
                .hasSize(1);
        assertThat(ledger.browse(Query.all().withLabels(Map.of("customer", "ann")))
                        .entries())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-03-01T12:00:00Z",
                "2026-03-01T12:34:00Z",
                "2026-03-01T12:34:56Z",
                "2026-03-01T12:34:56.789Z",
                "2026-12-31T23:59:59.999999999Z",
                "1969-12-31T23:59:59.000000001Z",
                "0001-01-01T00:00:00Z"
            })
    void timesAreReadAsTheyWereWrittenAndSortAsText(String time) {
        Instant instant = Instant.parse(time);
        Moment moment = new Moment(instant, "a boot", -7);
        assertThat(TimeText.instant(SortableTime.of(instant))).isEqualTo(instant);
        assertThat(TimeText.moment(SortableTime.of(moment))).isEqualTo(moment);
        assertThat(TimeText.moment(SortableTime.of(Moment.ofWall(instant)))).isEqualTo(Moment.ofWall(instant));
        assertThat(SortableTime.of(instant)).isLessThan(SortableTime.of(instant.plusNanos(1)));
        assertThat(SortableTime.of(instant)).isGreaterThan(SortableTime.of(instant.minusNanos(1)));
        assertThat(SortableTime.of(instant)).isLessThan(SortableTime.of(instant.plus(Duration.ofDays(700))));
    }
}
