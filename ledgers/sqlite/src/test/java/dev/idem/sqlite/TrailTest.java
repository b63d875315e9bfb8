package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Failure;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.TrailLine;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trail costs nothing while an entry tells its own story, and is bounded. */
class TrailTest {
    private static final Settlement FAILED =
            new Settlement.Failed(new Failure("Refused", "secret"), false, Retention.DEFAULT);

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final SettableClocks clocks = new SettableClocks();

    @Test
    void anEntryThatBeginsAndEndsOnceStoresNoLine() throws SQLException {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "k");
            assertThat(events(ledger)).containsExactly("granted", "complete");
        }
        assertThat(Fixtures.number(file(), "SELECT instr(document, '\"past\"') FROM entries"))
                .isZero();
    }

    @Test
    void aLapseThatNobodyWroteDownIsToldByWhoeverTakesOver() {
        try (TestLedger ledger = open()) {
            Ticket first = Fixtures.take(ledger, "k");
            clocks.advance(Duration.ofMinutes(10));
            ledger.claim(Fixtures.request("k").withTakeOver(TakeOver.RERUN));
            assertThat(events(ledger)).containsExactly("granted", "in_doubt", "rerun");
            TrailLine lapse = ledger.trail(Fixtures.address("k")).get(1);
            assertThat(lapse.fence()).isEqualTo(first.fence());
            assertThat(lapse.detail()).contains("the lease of tester ran out");
        }
    }

    @Test
    void lateGoodNewsComesAfterTheDoubt() {
        try (TestLedger ledger = open()) {
            Ticket ticket = Fixtures.take(ledger, "k");
            ledger.settle(ticket, new Settlement.Doubtful(new Failure("TimedOut", "")));
            ledger.settle(ticket, Fixtures.completed("1"));
            assertThat(events(ledger)).containsExactly("granted", "in_doubt", "complete");
        }
    }

    @Test
    void aLongTrailKeepsItsFirstAndItsNewestLines() {
        try (TestLedger ledger = open()) {
            for (int i = 0; i < 400; i++) {
                clocks.advance(Duration.ofSeconds(1));
                ledger.settle(Fixtures.take(ledger, "k"), FAILED);
            }
            List<TrailLine> trail = ledger.trail(Fixtures.address("k"));
            assertThat(trail).hasSize(502);
            assertThat(trail.get(0).detail()).isEqualTo("tester, attempt 1");
            assertThat(trail.get(trail.size() - 2).detail()).isEqualTo("tester, attempt 400");
            assertThat(trail).extracting(TrailLine::at).isSorted();
        }
    }

    @Test
    void trailsGoWithTheirExpiredEntriesAndAWeekAfterAForget() throws SQLException {
        try (TestLedger ledger = open()) {
            ledger.settle(Fixtures.take(ledger, "k"), FAILED);
            ledger.settle(Fixtures.take(ledger, "k"), FAILED);
            ledger.settle(Fixtures.take(ledger, "gone"), FAILED);
            ledger.forget(ledger.find(Fixtures.address("gone")).orElseThrow());
            assertThat(events(ledger)).hasSize(4);
            assertThat(ledger.purge(100)).isZero();
            clocks.advance(Retention.DEFAULT.keep().plusSeconds(1));
            assertThat(ledger.purge(100)).isEqualTo(2);
            assertThat(events(ledger)).isEmpty();
            assertThat(ledger.trail(Fixtures.address("gone"))).isEmpty();
        }
        assertThat(Fixtures.number(file(), "SELECT count(*) FROM entries")).isZero();
    }

    private Path file() {
        return folder.resolve("idem.db");
    }

    private TestLedger open() {
        return TestLedger.open(SqliteOptions.at(file()), new LedgerContext(clocks, new SettableProcesses()));
    }

    private static List<String> events(TestLedger ledger) {
        return ledger.trail(Fixtures.address("k")).stream()
                .map(TrailLine::event)
                .toList();
    }
}
