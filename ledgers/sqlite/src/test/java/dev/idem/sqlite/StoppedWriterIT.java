package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.UnrecordedException;
import dev.idem.spi.Claim;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that is stopped in the middle of a transaction keeps SQLite's write lock. What becomes of the others? */
@Timeout(120)
class StoppedWriterIT {
    private static final Path LOCKS = Path.of("/proc/locks");

    @TempDir
    Path folder;

    private Path file;
    private ChildProcess child;

    @BeforeEach
    void create() throws Exception {
        file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        Fixtures.meddle(file, "CREATE TABLE orders (id INTEGER)");
    }

    @AfterEach
    void end() {
        if (child != null) {
            child.close();
        }
    }

    @Test
    void replaysGoOnAndWhatWritesIsToldWhoHoldsTheLock() throws Exception {
        try (TestLedger ledger = open(Duration.ofMillis(200))) {
            Fixtures.complete(ledger, "done");
            Ticket running = Fixtures.take(ledger, "running");
            ChildProcess stopped = stopInATransaction();
            assertThat(ledger.claim(Fixtures.request("done"))).isInstanceOf(Claim.Replay.class);
            assertThat(ledger.find(running.address())).isPresent();
            isRefused(stopped, () -> ledger.claim(Fixtures.request("new")));
            isRefused(stopped, () -> ledger.renew(running, Duration.ofMinutes(1)));
            isRefused(stopped, () -> ledger.settle(running, Fixtures.completed("done")));
            stopped.kill();
            assertThat(ledger.settle(running, Fixtures.completed("done"))).isInstanceOf(Settled.Recorded.class);
            assertThat(ledger.claim(Fixtures.request("new")))
                    .as("its refused claim left nothing")
                    .isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void theCallerOfAnActionThatRanGetsItsResultAndWhoWaitsGoesOn() throws Exception {
        try (TestLedger hasty = open(Duration.ofMillis(200));
                Idem idem = Idem.builder()
                        .ledger(hasty)
                        .settleFor(Duration.ofMillis(1))
                        .quiet()
                        .open();
                TestLedger patient = open(Duration.ofMinutes(1))) {
            Ticket running = Fixtures.take(patient, "running");
            var charge = idem.operation("charge").key("k").returning(String.class);
            assertThatThrownBy(() -> charge.run(call -> {
                        stopInATransaction();
                        return "ch_1";
                    }))
                    .isInstanceOfSatisfying(
                            UnrecordedException.class,
                            e -> assertThat(e.value()).isEqualTo("ch_1"));
            CompletableFuture<Settled> settled =
                    CompletableFuture.supplyAsync(() -> patient.settle(running, Fixtures.completed("done")));
            assertThat(settled).isNotDone();
            child.kill();
            assertThat(settled.get(60, TimeUnit.SECONDS)).isInstanceOf(Settled.Recorded.class);
        }
    }

    private TestLedger open(Duration busy) {
        return Fixtures.open(SqliteOptions.at(file).withBusy(busy));
    }

    private ChildProcess stopInATransaction() throws IOException, InterruptedException {
        child = ChildProcess.start(ChildMain.class, "order", file.toString(), "after the row");
        assertThat(child.line()).isEqualTo("at after the row");
        child.stop();
        Path stat = Path.of("/proc/" + child.pid() + "/stat");
        Until.isTrue("it is stopped", () -> !Files.exists(stat) || read(stat).contains(") T "));
        return child;
    }

    private void isRefused(ChildProcess stopped, ThrowingCallable write) throws IOException {
        long pid = stopped.pid();
        Path shared = Path.of(file.toRealPath() + "-shm");
        boolean seen = Files.isReadable(LOCKS)
                && Files.readString(LOCKS)
                        .matches("(?s).* WRITE " + pid + " \\S+:" + Files.getAttribute(shared, "unix:ino") + " .*");
        assertThatThrownBy(write)
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("has held its write lock for 200 ms")
                .hasMessageContaining(
                        seen
                                ? ". Process " + pid + " (java) holds it now and is stopped: `kill -CONT " + pid
                                        + "` lets it go on."
                                : ". `fuser -v " + file + "` shows who has it open.");
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            return "";
        }
    }
}
