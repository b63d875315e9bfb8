package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A compaction that fails in its last moments, or can't begin, leaves nobody waiting and loses nothing. */
@Timeout(60)
class FailingCompactionTest {
    private static final Duration LEASE = Duration.ofSeconds(30);

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private TestLedger open(Executor background) {
        JsonlOptions options = JsonlOptions.at(folder.resolve("idem.jsonl")).withCompactFrom(10_000);
        return Fixtures.on(new Environment(disk, background), options, LedgerContext.ofHost(Host.system()));
    }

    @Test
    void aWriterThatWaitsForOneThatFindsNoRoomGoesOn() throws Exception {
        try (TestLedger ledger = open(threads)) {
            disk.atNextRename(this::fail);
            assertThat(writtenMeanwhile(ledger).get(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Fixtures.complete(ledger, "after").state()).isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void aWriterThatWaitsForOneThatEndsTheLedgerIsToldSo() throws Exception {
        TestLedger ledger = open(threads);
        disk.atNextFolderSync(this::fail);
        assertThatThrownBy(() -> writtenMeanwhile(ledger).get(60, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed for good");
        ledger.close();
    }

    /** Which file has the name is not known any more; what is written to the old one may be written to none. */
    @Test
    void anErrorAfterTheNewFileHasItsNameEndsTheLedger() {
        TestLedger ledger = open(Runnable::run);
        Ticket ticket = Fixtures.take(ledger, "k");
        disk.atNextFolderSync(() -> {
            throw new InternalError("no more of it");
        });
        while (!disk.folderSyncStruck()) {
            assertThat(ledger.renew(ticket, LEASE)).isTrue();
        }
        assertThatThrownBy(() -> ledger.settle(ticket, Fixtures.completed("1")))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed for good");
        ledger.close();
        try (TestLedger again = open(Runnable::run)) {
            assertThat(again.claim(Fixtures.request("k"))).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    void aThreadThatCanNotBeStartedCostsNothingButRoom() throws Exception {
        TestLedger ledger = open(task -> {
            throw new InternalError("unable to create native thread");
        });
        Ticket ticket = Fixtures.take(ledger, "k");
        while (Files.size(folder.resolve("idem.jsonl")) < 30_000) {
            assertThat(ledger.renew(ticket, LEASE)).isTrue();
        }
        ledger.settle(ticket, Fixtures.completed("1"));
        threads.submit(ledger::close).get(60, TimeUnit.SECONDS);
        try (TestLedger again = open(Runnable::run)) {
            assertThat(again.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
        }
    }

    /** Renews until the compaction has others wait, and once more then; the compaction fails when all is so. */
    private Future<Boolean> writtenMeanwhile(TestLedger ledger) throws InterruptedException {
        Ticket ticket = Fixtures.take(ledger, "k");
        Future<Boolean> last = threads.submit(() -> {
            boolean renewed = ledger.renew(ticket, LEASE);
            while (gate.getCount() > 0) {
                renewed = ledger.renew(ticket, LEASE);
            }
            return renewed;
        });
        reached.await();
        Fixtures.until(() -> ledger.file().commits().waiting() == 1);
        gate.countDown();
        return last;
    }

    private void fail() throws IOException {
        reached.countDown();
        Fixtures.until(() -> gate.getCount() == 0);
        throw new IOException("No space left on device");
    }
}
