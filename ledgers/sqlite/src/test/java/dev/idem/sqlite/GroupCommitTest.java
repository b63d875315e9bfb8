package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Claim;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The first writer commits for those who wait; a lone one hands nothing over. */
class GroupCommitTest {
    private static final int THREADS = 64;

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    @Test
    void aLoneWriterRunsInItsOwnThread() {
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        Host host = Host.system();
        LedgerContext context = new LedgerContext(
                () -> {
                    seen.add(Thread.currentThread());
                    return host.now();
                },
                host);
        try (TestLedger ledger = TestLedger.open(SqliteOptions.at(folder.resolve("idem.db")), context)) {
            for (int i = 0; i < 20; i++) {
                Fixtures.complete(ledger, "k" + i);
            }
            assertThat(seen).containsExactly(Thread.currentThread());
            assertThat(ledger.commitCount()).isEqualTo(40);
        }
    }

    @Test
    void thoseWhoWaitShareACommit() throws Exception {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(file)) {
            List<Callable<Ticket>> claims = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String key = "k" + i;
                claims.add(() -> Fixtures.take(ledger, key));
            }
            List<Future<Ticket>> answers = whileLocked(ledger, file, claims);
            long fences = 0;
            for (Future<Ticket> answer : answers) {
                fences += answer.get().fence().number();
            }
            assertThat(fences).as("each fence once").isEqualTo(THREADS * (THREADS + 1L) / 2);
            assertThat(ledger.commitCount()).isLessThan(THREADS / 2);
        }
    }

    @Test
    void oneThatFailsSpoilsNoOther() throws Exception {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(file)) {
            Ticket bad = Fixtures.take(ledger, "bad");
            List<Callable<Ticket>> steps = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                String key = "k" + i;
                steps.add(() -> Fixtures.take(ledger, key));
            }
            // Such a lease lies beyond the end of time, which is found out in the middle of the step.
            steps.add(() -> {
                ledger.renew(bad, Duration.ofSeconds(Long.MAX_VALUE / 2));
                return bad;
            });
            List<Future<Ticket>> answers = whileLocked(ledger, file, steps);
            Future<Ticket> failed = answers.remove(16);
            assertThatThrownBy(failed::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(RuntimeException.class);
            for (Future<Ticket> answer : answers) {
                assertThat(ledger.find(answer.get().address())).isPresent();
            }
        }
    }

    @Test
    void aRowThatCannotBeReadFailsAlone() throws SQLException {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(file)) {
            Entry broken = ((Claim.Granted) ledger.claim(Fixtures.request("broken"))).entry();
            Fixtures.meddle(file, "UPDATE entries SET state = 'asleep' WHERE key = 'broken'");
            assertThatThrownBy(() -> ledger.forget(broken))
                    .isInstanceOf(LedgerUnreadableException.class)
                    .hasMessageContaining("'asleep' is no state");
            assertThat(Fixtures.take(ledger, "k1")).isNotNull();
        }
    }

    @Test
    void aLockThatIsHeldTooLongIsSaidAndNothingIsWritten() throws SQLException {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(SqliteOptions.at(file).withBusy(Duration.ofMillis(50)))) {
            Fixtures.complete(ledger, "done");
            try (Connection other = Fixtures.stranger(file);
                    Statement statement = other.createStatement()) {
                statement.executeUpdate("BEGIN IMMEDIATE");
                assertThatThrownBy(() -> ledger.claim(Fixtures.request("k")))
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("is busy: another process has held its write lock for 50 ms")
                        .hasMessageContaining("?busy=60s");
                assertThat(ledger.find(Fixtures.address("k"))).isEmpty();
                // A reader does not wait.
                assertThat(ledger.claim(Fixtures.request("done"))).isInstanceOf(Claim.Replay.class);
                statement.executeUpdate("ROLLBACK");
            }
            assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void aReplayCostsNoCommitAndItsCountIsWrittenInPortions() throws SQLException {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(file)) {
            Fixtures.complete(ledger, "k");
            long before = ledger.commitCount();
            for (int i = 0; i < 100; i++) {
                assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
            }
            assertThat(ledger.commitCount()).isEqualTo(before + 1);
            assertThat(ledger.find(Fixtures.address("k")).orElseThrow().replays())
                    .isEqualTo(100);
            assertThat(ledger.stats().replays()).isEqualTo(100);
            ledger.claim(Fixtures.request("k"));
        }
        assertThat(Fixtures.number(file, "SELECT replays FROM entries WHERE key = 'k'"))
                .isEqualTo(101);
    }

    @Test
    void anInterruptDoesNotLoseAnAnswer() throws Exception {
        Path file = folder.resolve("idem.db");
        try (TestLedger ledger = Fixtures.open(file)) {
            AtomicReference<Thread> waiting = new AtomicReference<>();
            List<Callable<Boolean>> steps = List.of(() -> Fixtures.take(ledger, "k1") != null, () -> {
                waiting.set(Thread.currentThread());
                Thread.currentThread().interrupt();
                assertThat(Fixtures.take(ledger, "k2")).isNotNull();
                return Thread.interrupted();
            });
            List<Future<Boolean>> answers = whileLocked(ledger, file, steps);
            assertThat(answers.get(0).get()).isTrue();
            assertThat(answers.get(1).get()).as("still interrupted").isTrue();
        }
    }

    /** Starts all while another program holds the write lock, so that they meet; gives their answers afterwards. */
    private <T> List<Future<T>> whileLocked(TestLedger ledger, Path file, List<? extends Callable<T>> steps)
            throws SQLException {
        List<Future<T>> answers = new ArrayList<>();
        try (Connection other = Fixtures.stranger(file);
                Statement statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            for (Callable<T> step : steps) {
                answers.add(threads.submit(step));
            }
            // The first of them leads, and has taken its own step from the queue.
            while (ledger.waitingWriters() < steps.size() - 1) {
                Thread.onSpinWait();
            }
            statement.executeUpdate("ROLLBACK");
        }
        return answers;
    }
}
