package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Claim;
import dev.idem.spi.Failure;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Those who write at the same time share one sync, and nobody is answered before it. */
@Timeout(60)
class GroupCommitTest {
    private static final int WRITERS = 32;

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private TestLedger open() {
        return Fixtures.on(disk, JsonlOptions.at(folder.resolve("idem.jsonl")), LedgerContext.ofHost(Host.system()));
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aLoneWriterSyncsOnceForEachStep() {
        try (TestLedger ledger = open()) {
            int before = disk.syncs();
            Ticket ticket = Fixtures.take(ledger, "k");
            assertThat(disk.syncs() - before).isEqualTo(1);
            ledger.settle(ticket, Fixtures.completed("1"));
            assertThat(disk.syncs() - before).isEqualTo(2);
            ledger.claim(Fixtures.request("k"));
            ledger.find(Fixtures.address("k"));
            assertThat(disk.syncs() - before).as("a replay costs no sync").isEqualTo(2);
        }
    }

    /** The cost of a step: one sync if it writes, none if it does not. */
    @Test
    void everyStepCostsAtMostOneSync() {
        try (TestLedger ledger = open()) {
            Ticket ticket = ((Claim.Granted) ledger.claim(Fixtures.request("k").withStaged(true))).ticket();
            assertThat(syncsOf(() -> ledger.mark(ticket, Mark.of("charging")))).isEqualTo(1);
            assertThat(syncsOf(() -> ledger.renew(ticket, Duration.ofSeconds(30))))
                    .isEqualTo(1);
            assertThat(syncsOf(() -> ledger.claim(Fixtures.request("k"))))
                    .as("in flight")
                    .isZero();
            Settlement failed = new Settlement.Failed(new Failure("refused", "no"), false, Retention.DEFAULT);
            assertThat(syncsOf(() -> ledger.settle(ticket, failed))).isEqualTo(1);
            assertThat(syncsOf(() -> ledger.settle(ticket, failed)))
                    .as("settled already")
                    .isZero();
            assertThat(syncsOf(() -> Fixtures.take(ledger, "k")))
                    .as("granted again")
                    .isEqualTo(1);
            Entry other = Fixtures.complete(ledger, "other");
            assertThat(syncsOf(() -> ledger.forget(other))).isEqualTo(1);
        }
    }

    private int syncsOf(Runnable step) {
        int before = disk.syncs();
        step.run();
        return disk.syncs() - before;
    }

    @Test
    void allWhoWaitShareTheNextSyncAndNoneIsAnsweredBeforeIt() throws Exception {
        try (TestLedger ledger = open()) {
            CountDownLatch gate = disk.holdSyncs();
            int before = disk.syncs();
            List<Future<Ticket>> tickets = claimAll(ledger, before);
            assertThat(tickets).noneMatch(Future::isDone);
            for (int i = 0; i < WRITERS; i++) {
                assertThat(ledger.find(Fixtures.address("k" + i)))
                        .as("what is not synced is not shown")
                        .isEmpty();
            }
            gate.countDown();
            for (Future<Ticket> ticket : tickets) {
                assertThat(ledger.find(ticket.get().address())).isPresent();
            }
            assertThat(disk.syncs() - before)
                    .as("the first alone, all others together")
                    .isEqualTo(2);
        }
    }

    @Test
    void aFailedSyncFailsAllOfItsBatch() throws Exception {
        TestLedger ledger = open();
        CountDownLatch gate = disk.holdSyncs();
        List<Future<Ticket>> tickets = claimAll(ledger, disk.syncs());
        disk.failNextSync();
        gate.countDown();
        for (Future<Ticket> ticket : tickets) {
            assertThatThrownBy(ticket::get).hasCauseInstanceOf(LedgerUnavailableException.class);
        }
        ledger.close();
    }

    @Test
    void anErrorOfTheOneWhoLeadsLeavesNobodyWaiting() throws Exception {
        TestLedger ledger = open();
        CountDownLatch gate = disk.holdSyncs();
        List<Future<Ticket>> tickets = claimAll(ledger, disk.syncs());
        disk.atNextSync(() -> {
            throw new InternalError("no more of it");
        });
        gate.countDown();
        assertThatThrownBy(() -> tickets.get(0).get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(InternalError.class);
        for (Future<Ticket> ticket : tickets.subList(1, WRITERS)) {
            assertThatThrownBy(() -> ticket.get(60, TimeUnit.SECONDS))
                    .hasCauseInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("is closed for good");
        }
        ledger.close();
    }

    @Test
    void aStepThatFailsFailsAlone() throws Exception {
        try (TestLedger ledger = open()) {
            CountDownLatch gate = disk.holdSyncs();
            int before = disk.syncs();
            List<Future<Ticket>> tickets = claimAll(ledger, before);
            Future<Integer> bad = threads.submit(() -> ledger.file().commits().submit(batch -> {
                throw new IllegalStateException("a step of no good");
            }));
            Fixtures.until(() -> ledger.file().commits().waiting() == WRITERS);
            gate.countDown();
            assertThatThrownBy(bad::get).hasRootCauseMessage("a step of no good");
            for (Future<Ticket> ticket : tickets) {
                assertThat(ledger.find(ticket.get().address())).isPresent();
            }
        }
    }

    @Test
    void anInterruptLosesNoAnswerAndHarmsNobody() throws Exception {
        try (TestLedger ledger = open()) {
            Fixtures.complete(ledger, "done");
            Future<Boolean> interrupted = threads.submit(() -> {
                Thread.currentThread().interrupt();
                Fixtures.take(ledger, "k");
                ledger.find(Fixtures.address("done"));
                return Thread.interrupted();
            });
            assertThat(interrupted.get()).as("still interrupted").isTrue();
            assertThat(ledger.find(Fixtures.address("k"))).isPresent();
            assertThat(ledger.find(Fixtures.address("done"))).isPresent();
        }
    }

    /** One writes and waits for its sync; all others queue up behind it. */
    private List<Future<Ticket>> claimAll(TestLedger ledger, int syncsBefore) {
        List<Future<Ticket>> tickets = new ArrayList<>();
        tickets.add(threads.submit(() -> Fixtures.take(ledger, "k0")));
        Fixtures.until(() -> disk.syncs() > syncsBefore);
        for (int i = 1; i < WRITERS; i++) {
            String key = "k" + i;
            tickets.add(threads.submit(() -> Fixtures.take(ledger, key)));
        }
        Fixtures.until(() -> ledger.file().commits().waiting() == WRITERS - 1);
        return tickets;
    }
}
