package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.TransactedOperation;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.spi.Transactional;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.transaction.TransactionContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of an action and its entry in one commit of the SQLite file. */
class SqliteTransactionTest extends TransactionContract {
    @TempDir(factory = MemoryFolder.class)
    Path folder;

    @Override
    protected LedgerFixture fixture() {
        return LedgerFixture.durable(context -> TestLedger.open(SqliteOptions.at(folder.resolve("idem.db")), context));
    }

    @Test
    void anActionThatLetsItsTransactionBeEndedIsInDoubt() {
        Outcome<String> ended = order().attempt((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            run(connection, "COMMIT");
            return "done";
        });
        assertThat(ended).isInstanceOf(Outcome.InDoubt.class);
        assertThat(ended.failure()).hasMessageContaining("had ended before it was to be committed");
    }

    /** A temporary table hides one of the same name, for as long as the connection lives. */
    @Test
    void aTemporaryTableOfTheActionHidesNoEntry() throws SQLException {
        Idem idem = idem();
        for (int i = 0; i < 2; i++) {
            String done = charge(idem).inTransaction(Connection.class).run((call, connection) -> {
                run(connection, "CREATE TEMP TABLE entries (id); CREATE TEMP TABLE labels (id)");
                return "done";
            });
            assertThat(done).isEqualTo("done");
        }
        idem.operation("other").key("k").run(call -> "done");
        assertThat(idem.operation("other").key("k").attempt(call -> "never")).isInstanceOf(Outcome.Replayed.class);
    }

    /** The rows are undone, but the work of the future goes on, so it must not begin a second time. */
    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the mistake that is tested
    void anActionThatReturnsAFutureIsRolledBackAndInDoubt() throws SQLException {
        Outcome<?> later = idem().operation("charge")
                .key("later")
                .inTransaction(Connection.class)
                .attempt((call, connection) -> {
                    run(connection, "INSERT INTO orders VALUES (1)");
                    return new CompletableFuture<String>();
                });
        assertThat(later).isInstanceOf(Outcome.InDoubt.class);
        assertThat(later.failure()).hasMessageContaining("returned a CompletableFuture");
        assertThat(rows()).isZero();
    }

    @Test
    void otherOperationsInsideAreRefusedAndNothingIsWritten() throws SQLException {
        Idem idem = idem();
        Outcome<String> refused = charge(idem).inTransaction(Connection.class).attempt((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            idem.operation("inner").key("k").run(inner -> "never");
            return "never";
        });
        assertThat(refused).isInstanceOf(Outcome.Failed.class);
        assertThat(refused.failure()).hasMessageContaining("call other operations before or after it");
        assertThat(rows()).isZero();
    }

    /** Statistics write the counts of replays first, which is not possible meanwhile. The set-up has ordered once. */
    @Test
    void anActionMayLookAtTheStatistics() {
        Idem idem = idem();
        idem.operation("other").key("k").run(call -> "done");
        idem.operation("other").key("k").run(call -> "never");
        Browsable ledger = ledger().as(Browsable.class).orElseThrow();
        String complete = charge(idem)
                .inTransaction(Connection.class)
                .run((call, connection) -> "complete: " + ledger.stats().count(State.COMPLETE));
        assertThat(complete).isEqualTo("complete: 2");
    }

    @Test
    void anOperationInsideThatAnotherThreadRunsIsRefusedToo() throws SQLException {
        Idem idem = idem();
        Outcome<String> refused = charge(idem).inTransaction(Connection.class).attempt((call, connection) -> {
            run(connection, "INSERT INTO orders VALUES (1)");
            idem.operation("inner").key("k").runAsync(inner -> "never").join();
            return "never";
        });
        assertThat(refused).isInstanceOf(Outcome.Failed.class);
        assertThat(refused.failure())
                .hasRootCauseMessage("default/inner/k was called inside of " + KEY
                        + ", whose transaction locks the ledger:"
                        + " call other operations before or after it");
        assertThat(rows()).isZero();
    }

    @Test
    void whoeverWaitsForATransactionOfThisProcessIsToldAfterAWhile() throws Exception {
        Path file = folder.resolve("busy.db");
        try (Idem idem = Idem.open("sqlite:" + file + "?busy=50ms")) {
            idem.operation("order").key("k").inTransaction(Connection.class).run((call, connection) -> {
                var other = CompletableFuture.supplyAsync(
                        () -> idem.operation("other").key("k").run(action -> "never"));
                assertThatThrownBy(other::join)
                        .hasCauseInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("has held a transaction for 50 ms");
                return "done";
            });
        }
    }

    /** An action that waits for another transaction of its process would wait for ever, and hold the file's lock. */
    @Test
    void aTransactionThatWaitsForAnotherOfThisProcessIsToldAfterAWhile() throws Exception {
        Path file = folder.resolve("two.db");
        Ledger ledger = Ledgers.open("sqlite:" + file + "?busy=50ms", LedgerContext.ofHost(Host.system()));
        try (ledger) {
            Transactional<?> transactional = ledger.as(Transactional.class).orElseThrow();
            try (var first = transactional.begin(null)) {
                var second = CompletableFuture.supplyAsync(() -> transactional.begin(null));
                assertThatThrownBy(() -> second.get(1, TimeUnit.MINUTES))
                        .hasCauseInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("has held a transaction for 50 ms");
                assertThat(first.connection()).isNotNull();
            }
        }
    }

    @Test
    void aTransactionThatTakesLongerThanAThirdOfTheLeaseIsRolledBack() throws SQLException {
        Outcome<String> late = charge(idem())
                .policy(Policy.unset().lease(Duration.ofMillis(3)))
                .inTransaction(Connection.class)
                .attempt((call, connection) -> {
                    run(connection, "INSERT INTO orders VALUES (1)");
                    long begun = System.nanoTime();
                    while (System.nanoTime() - begun < Duration.ofMillis(20).toNanos()) {
                        Thread.onSpinWait();
                    }
                    return "late";
                });
        assertThat(late.failure()).hasMessageContaining("its time limit was over");
        assertThat(rows()).isZero();
    }

    @Test
    void aConnectionOfTheCallerIsRefusedWithTheWayToGo() throws SQLException {
        try (Connection own = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("idem.db"))) {
            Operation<String> charge = charge(idem());
            Outcome<String> refused = charge.inTransactionOn(own).attempt((call, connection) -> "never");
            assertThat(refused.failure())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("inTransaction(Connection.class)");
            assertThatThrownBy(() -> charge.inTransaction(Statement.class))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only on a java.sql.Connection");
        }
    }

    private TransactedOperation<Connection, String> order() {
        return charge(idem()).inTransaction(Connection.class);
    }

    private long rows() throws SQLException {
        return Fixtures.number(folder.resolve("idem.db"), "SELECT count(*) FROM orders");
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
