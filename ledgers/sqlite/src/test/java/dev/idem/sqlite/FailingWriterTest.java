package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Awaitable.Watch;
import dev.idem.spi.Claim;
import dev.idem.spi.Host;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.testkit.MemoryFolder;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.jdbc4.JDBC4Connection;

/** An error in the middle of a batch leaves nobody waiting, no transaction open, and nothing half acknowledged. */
@Timeout(60)
class FailingWriterTest {
    private static final int THREADS = 8;
    private static final int COUNTED_TOGETHER = 64;

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    /** The name of the statement that fails with an error; empty for none. */
    private volatile String failing = "";

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private TestLedger open() {
        return TestLedger.open(
                (file, settings) -> new Failing(file, settings),
                SqliteOptions.at(folder.resolve("idem.db")),
                LedgerContext.ofHost(Host.system()));
    }

    @Test
    void whatIsAcknowledgedAfterAnErrorIsCommitted() throws SQLException {
        try (TestLedger ledger = open()) {
            Ticket ticket = Fixtures.take(ledger, "k");
            failing = "insert";
            assertThatThrownBy(() -> ledger.claim(Fixtures.request("lost"))).isInstanceOf(InternalError.class);
            failing = "";

            assertThat(ledger.settle(ticket, Fixtures.completed("1"))).isInstanceOf(Settled.Recorded.class);
            assertThat(count("key = 'k' AND state = 'complete'")).isEqualTo(1);
            assertThat(count("key = 'lost'")).isZero();
            assertThat(ledger.claim(Fixtures.request("lost"))).isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void anErrorBeforeACommitFailsAllOfTheBatchAndLeavesNobodyWaiting() throws Exception {
        try (TestLedger ledger = open()) {
            // The first of them is a statement that commits by itself.
            int written = 0;
            for (Future<Ticket> answer : claimTogether(ledger, "commit")) {
                try {
                    answer.get(60, TimeUnit.SECONDS);
                    written++;
                } catch (ExecutionException e) {
                    assertThat(e).cause().isInstanceOfAny(InternalError.class, LedgerUnavailableException.class);
                }
            }
            failing = "";
            assertThat(written).isLessThan(THREADS);
            assertThat(count("key LIKE 'k%'")).isEqualTo(written);
            assertThat(Fixtures.complete(ledger, "after")).isNotNull();
        }
    }

    /** A leader whose own step is written goes on for a while with those who came meanwhile. */
    @Test
    void anErrorInTheStepOfAnotherDoesNotTakeTheLeadersAnswer() throws Exception {
        try (TestLedger ledger = open()) {
            Ticket held = Fixtures.take(ledger, "held");
            failing = "renew";
            boolean ledByAnother = false;
            for (int i = 0; i < 500 && !ledByAnother; i++) {
                CompletableFuture<Boolean> renewed = new CompletableFuture<>();
                Ticket own = takeAndMeanwhile(ledger, "k" + i, () -> renewInstead(ledger, held, renewed));

                assertThat(own).isNotNull();
                ledByAnother = renewed.get(60, TimeUnit.SECONDS);
            }
            assertThat(ledByAnother)
                    .as("the one with the error was told so by its leader")
                    .isTrue();
            failing = "";
            assertThat(ledger.renew(held, Duration.ofSeconds(30))).isTrue();
        }
    }

    /** Takes a key; the other step is queued when the key was taken and nobody was answered yet. */
    private Ticket takeAndMeanwhile(TestLedger ledger, String key, Runnable other) {
        AtomicBoolean begun = new AtomicBoolean();
        Watch watch = ledger.watch(Fixtures.address(key), () -> {
            // A watch may wake more than once; a second step would stand in the queue before the next key is taken.
            if (begun.getAndSet(true)) {
                return;
            }
            threads.execute(other);
            while (ledger.waitingWriters() == 0) {
                Thread.onSpinWait();
            }
        });
        try {
            return Fixtures.take(ledger, key);
        } finally {
            watch.close();
        }
    }

    /** Says whether another led, and so met the error itself. */
    private static void renewInstead(TestLedger ledger, Ticket ticket, CompletableFuture<Boolean> ledByAnother) {
        try {
            ledger.renew(ticket, Duration.ofSeconds(30));
            ledByAnother.completeExceptionally(new AssertionError("it was renewed"));
        } catch (LedgerUnavailableException e) {
            ledByAnother.complete(true);
        } catch (InternalError e) {
            ledByAnother.complete(false);
        }
    }

    @Test
    void aWatcherThatThrowsAnErrorHarmsNobody() throws Exception {
        try (TestLedger ledger = open()) {
            ledger.watch(Fixtures.address("k1"), () -> {
                throw new InternalError("a watcher of no good");
            });
            for (Future<Ticket> answer : claimTogether(ledger, "")) {
                assertThat(answer.get(60, TimeUnit.SECONDS)).isNotNull();
            }
            assertThat(count("key LIKE 'k%'")).isEqualTo(THREADS);
        }
    }

    /** A claim that had looked before the ledger was closed wrote after it, with a connection that nobody closed. */
    @Test
    void aStepThatComesAfterTheEndOpensNoConnection() {
        AtomicBoolean closeNow = new AtomicBoolean();
        TestLedger[] ledger = new TestLedger[1];
        Host host = Host.system();
        LedgerContext context = new LedgerContext(host, process -> {
            if (closeNow.getAndSet(false)) {
                ledger[0].close();
            }
            return dev.idem.spi.Processes.Life.DEAD;
        });
        Path file = folder.resolve("idem.db");
        ledger[0] = TestLedger.open(SqliteOptions.at(file), context);
        ledger[0].claim(Fixtures.request("k", host.self()));
        closeNow.set(true);
        assertThatThrownBy(() -> ledger[0].claim(Fixtures.request("k", host.self())))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("is closed");
        assertThat(closeNow).isFalse();
        assertThat(Path.of(file + "-wal"))
                .as("what the last connection removes")
                .doesNotExist();
    }

    /** Whoever is queued behind one who has waited for the lock has waited as long. */
    @Test
    void thoseBehindAClaimThatWaitsForTheLockDoNotWaitAgain() throws Exception {
        SqliteOptions options = SqliteOptions.at(folder.resolve("idem.db")).withBusy(java.time.Duration.ofSeconds(3));
        try (TestLedger ledger = Fixtures.open(options);
                Connection other = Fixtures.stranger(folder.resolve("idem.db"));
                Statement statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            List<Future<Long>> ends = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String key = "k" + i;
                ends.add(threads.submit(() -> {
                    assertThatThrownBy(() -> Fixtures.take(ledger, key)).hasMessageContaining("is busy");
                    return System.nanoTime();
                }));
            }
            long first = Long.MAX_VALUE;
            long last = Long.MIN_VALUE;
            for (Future<Long> end : ends) {
                first = Math.min(first, end.get());
                last = Math.max(last, end.get());
            }
            assertThat(last - first).as("between the first and the last").isLessThan(TimeUnit.SECONDS.toNanos(2));
            statement.executeUpdate("ROLLBACK");
        }
    }

    /** The result is in hand; how often it was given is worth no failure. */
    @Test
    void aReplayIsGivenAlthoughItCanNotBeCounted() throws SQLException {
        Path file = folder.resolve("idem.db");
        SqliteOptions options = SqliteOptions.at(file).withBusy(java.time.Duration.ofMillis(20));
        int entries = COUNTED_TOGETHER + 8;
        try (TestLedger ledger = Fixtures.open(options)) {
            fill(ledger, entries);
            try (Connection other = Fixtures.stranger(file);
                    Statement statement = other.createStatement()) {
                statement.executeUpdate("BEGIN IMMEDIATE");
                for (int i = 0; i < entries; i++) {
                    assertThat(ledger.claim(Fixtures.request("k" + i))).isInstanceOf(Claim.Replay.class);
                }
                statement.executeUpdate("ROLLBACK");
            }
            assertThat(ledger.stats().replays()).isLessThan(COUNTED_TOGETHER);
        }
    }

    private void fill(TestLedger ledger, int entries) {
        List<Future<?>> done = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int thread = t;
            done.add(threads.submit(() -> {
                for (int i = thread; i < entries; i += THREADS) {
                    Fixtures.complete(ledger, "k" + i);
                }
            }));
        }
        for (Future<?> each : done) {
            try {
                each.get();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /**
     * Starts claims of k0, k1 and so on while another program holds the write lock, so that they meet.
     *
     * @param fails the statement that fails when they go on; empty for none
     */
    private List<Future<Ticket>> claimTogether(TestLedger ledger, String fails) throws SQLException {
        List<Future<Ticket>> answers = new ArrayList<>();
        try (Connection other = Fixtures.stranger(folder.resolve("idem.db"));
                Statement statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            for (int i = 0; i < THREADS; i++) {
                String key = "k" + i;
                answers.add(threads.submit(() -> Fixtures.take(ledger, key)));
            }
            while (ledger.waitingWriters() < THREADS - 1) {
                Thread.onSpinWait();
            }
            failing = fails;
            statement.executeUpdate("ROLLBACK");
        }
        return answers;
    }

    private long count(String where) throws SQLException {
        return Fixtures.number(folder.resolve("idem.db"), "SELECT count(*) FROM entries WHERE " + where);
    }

    /** A connection whose statements can be told to fail. */
    private final class Failing extends JDBC4Connection {
        Failing(Path file, Properties settings) throws SQLException {
            super("jdbc:sqlite:" + file, file.toString(), settings);
        }

        @Override
        public PreparedStatement prepareStatement(String sql) throws SQLException {
            PreparedStatement real = super.prepareStatement(sql);
            return (PreparedStatement) Proxy.newProxyInstance(
                    Failing.class.getClassLoader(),
                    new Class<?>[] {PreparedStatement.class},
                    (proxy, method, values) -> {
                        if (method.getName().startsWith("execute")
                                && !failing.isEmpty()
                                && sql.equals(SqliteConnection.STATEMENTS.get(failing))) {
                            throw new InternalError("while it runs " + failing);
                        }
                        try {
                            return method.invoke(real, values);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }
}
