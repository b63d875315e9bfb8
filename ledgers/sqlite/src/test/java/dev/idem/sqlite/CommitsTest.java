package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Failure;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A commit is what users feel: each step has one, and a step that changes nothing has none. */
class CommitsTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final SettableClocks clocks = new SettableClocks();
    private TestLedger ledger;

    @BeforeEach
    void open() {
        ledger = TestLedger.open(
                SqliteOptions.at(folder.resolve("idem.db")), new LedgerContext(clocks, new SettableProcesses()));
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private void assertCommits(long expected, Runnable step) {
        long before = ledger.commitCount();
        step.run();
        assertThat(ledger.commitCount() - before).isEqualTo(expected);
    }

    @Test
    void aFirstCallWithAMarkAndAHeartbeatHasFour() {
        Ticket[] ticket = new Ticket[1];
        ClaimRequest staged = Fixtures.request("k").withStaged(true);
        assertCommits(1, () -> ticket[0] = ((Claim.Granted) ledger.claim(staged)).ticket());
        assertCommits(1, () -> ledger.mark(ticket[0], Mark.of("charging")));
        assertCommits(1, () -> ledger.renew(ticket[0], Duration.ofSeconds(30)));
        assertCommits(1, () -> ledger.settle(ticket[0], Fixtures.completed("1")));
    }

    @Test
    void replaysAndRefusalsHaveNone() {
        Fixtures.complete(ledger, "done");
        Fixtures.take(ledger, "running");
        ClaimRequest other = Fixtures.request("done");
        assertCommits(0, () -> assertThat(ledger.claim(other)).isInstanceOf(Claim.Replay.class));
        assertCommits(
                0, () -> assertThat(ledger.claim(Fixtures.request("running"))).isInstanceOf(Claim.InFlight.class));
        assertCommits(0, () -> ledger.find(Fixtures.address("done")));
    }

    @Test
    void aGrantOverAnotherEntryAResolveAndAForgetHaveOne() {
        ledger.settle(
                Fixtures.take(ledger, "k"),
                new Settlement.Failed(new Failure("Refused", ""), false, Retention.DEFAULT));
        assertCommits(1, () -> Fixtures.take(ledger, "k"));
        clocks.advance(Duration.ofHours(1));
        assertCommits(
                1,
                () -> assertThat(ledger.claim(Fixtures.request("k").withTakeOver(TakeOver.RERUN)))
                        .isInstanceOf(Claim.Granted.class));
        clocks.advance(Duration.ofHours(1));
        Entry doubted = ledger.find(Fixtures.address("k")).orElseThrow();
        assertCommits(
                1,
                () -> assertThat(ledger.resolve(doubted.address(), doubted.fence(), Fixtures.completed("1")))
                        .isTrue());
        Entry resolved = ledger.find(Fixtures.address("k")).orElseThrow();
        assertCommits(1, () -> assertThat(ledger.forget(resolved)).isTrue());
    }

    @Test
    void manyHeartbeatsShareOne() {
        Ticket one = Fixtures.take(ledger, "one");
        Ticket two = Fixtures.take(ledger, "two");
        assertCommits(1, () -> assertThat(ledger.renewAll(one, two)).isEmpty());
    }
}
