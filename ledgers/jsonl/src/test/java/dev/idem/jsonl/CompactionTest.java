package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.jsonl.disk.RealDisk;
import dev.idem.spi.Claim;
import dev.idem.spi.Fence;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Retention;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.Race;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lines that count no more are left behind, beside those who write, and nothing that counts is. */
@Timeout(60)
class CompactionTest {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private TestLedger open() {
        return Fixtures.open(JsonlOptions.at(folder.resolve("idem.jsonl")).withCompactFrom(20_000));
    }

    /** One that compacts in the thread that writes, so that nothing is written meanwhile. */
    private TestLedger openCalm() {
        JsonlOptions options = JsonlOptions.at(folder.resolve("idem.jsonl")).withCompactFrom(20_000);
        return Fixtures.on(new RealDisk(), options, LedgerContext.ofHost(Host.system()));
    }

    private static void compact(TestLedger ledger, Ticket ticket) {
        long before = ledger.file().compaction().count();
        Fixtures.until(() -> {
            ledger.renew(ticket, Duration.ofSeconds(30));
            return ledger.file().compaction().count() > before;
        });
    }

    @Test
    void theFileStaysSmallAndEntriesAndCountsAndFencesStay() throws IOException {
        Path file = folder.resolve("idem.jsonl");
        Entry kept;
        long highest;
        try (TestLedger ledger = openCalm()) {
            kept = Fixtures.complete(ledger, "kept");
            for (int i = 0; i < 7; i++) {
                ledger.claim(Fixtures.request("kept"));
            }
            ledger.writeReplays();
            Ticket running = Fixtures.take(ledger, "running");
            Entry forgotten = Fixtures.complete(ledger, "forgotten");
            highest = forgotten.fence().number();
            ledger.forget(forgotten);
            compact(ledger, running);
            compact(ledger, running);
            assertThat(Files.size(file)).isLessThan(20_000);
            assertThat(ledger.find(kept.address()).orElseThrow().replays()).isEqualTo(7);
            assertThat(ledger.renew(running, Duration.ofSeconds(30))).isTrue();
        }
        assertThat(NewFile.beside(file)).doesNotExist();
        try (TestLedger ledger = openCalm()) {
            assertThat(ledger.find(kept.address())).contains(kept.withReplays(7));
            assertThat(ledger.find(Fixtures.address("forgotten"))).isEmpty();
            assertThat(ledger.find(Fixtures.address("running")).orElseThrow().state())
                    .isEqualTo(State.IN_PROGRESS);
            assertThat(Fixtures.take(ledger, "next").fence().number()).isGreaterThan(highest);
        }
    }

    /** A heartbeat and a count are lines of their own: a copy of the row's line alone would lose them. */
    @Test
    void aRenewedLeaseAndTheHighestFenceOutliveCompactionsAndPurges() throws IOException {
        JsonlOptions options = JsonlOptions.at(folder.resolve("idem.jsonl")).withCompactFrom(20_000);
        SettableClocks clocks = new SettableClocks();
        LedgerContext context = new LedgerContext(clocks, new SettableProcesses());
        Entry renewed;
        Fence highest;
        try (TestLedger ledger = Fixtures.on(new RealDisk(), options, context)) {
            Ticket running = Fixtures.take(ledger, "running");
            Ticket purged = Fixtures.take(ledger, "purged");
            highest = purged.fence();
            ledger.settle(purged, Fixtures.completed("1", Retention.of(Duration.ofSeconds(1))));
            clocks.advance(Duration.ofDays(20));
            assertThat(ledger.browsable().purge(10)).isEqualTo(1);
            compact(ledger, running);
            assertThat(ledger.file().generation().index().slots()).hasSize(1);
            renewed = ledger.find(running.address()).orElseThrow();
            assertThat(renewed.state()).isEqualTo(State.IN_PROGRESS);
        }
        try (TestLedger ledger = Fixtures.on(new RealDisk(), options, context)) {
            assertThat(ledger.find(renewed.address())).contains(renewed);
            assertThat(Fixtures.take(ledger, "next").fence()).isGreaterThan(highest);
        }
    }

    @Test
    void manyWriteAndReadWhileItIsCompactedAgainAndAgain() {
        int threads = 8;
        int keys = 300;
        try (TestLedger ledger = open()) {
            List<Callable<Integer>> race = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int thread = t;
                race.add(() -> {
                    for (int i = 0; i < keys; i++) {
                        String key = "k" + thread + "-" + i;
                        Fixtures.complete(ledger, key);
                        if (i % 3 != 0) {
                            Entry entry = ledger.find(Fixtures.address(key)).orElseThrow();
                            assertThat(ledger.forget(entry)).isTrue();
                        }
                        assertThat(ledger.claim(Fixtures.request("k" + thread + "-0")))
                                .isInstanceOf(Claim.Replay.class);
                    }
                    return keys;
                });
            }
            Race.between(race);
            assertThat(ledger.file().compaction().count()).isGreaterThan(1);
        }
        try (TestLedger ledger = open()) {
            for (int t = 0; t < threads; t++) {
                for (int i = 0; i < keys; i++) {
                    String key = "k" + t + "-" + i;
                    assertThat(ledger.find(Fixtures.address(key))
                                    .map(Fixtures::result)
                                    .orElse("none"))
                            .isEqualTo(i % 3 == 0 ? "\"" + key + "\"" : "none");
                }
            }
        }
    }
}
