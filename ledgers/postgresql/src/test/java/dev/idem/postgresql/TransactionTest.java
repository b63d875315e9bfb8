package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Owner;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.testkit.Until;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Business rows and their entry in one transaction. */
@Timeout(60)
class TransactionTest {
    private static final Address ORDER = new Address("shop", "order", "k");

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private final String orders = schema + ".orders";
    private Proxy proxy;
    private Ledger beside;
    private Idem idem;

    @BeforeEach
    void open() throws Exception {
        proxy = new Proxy(server.port());
        beside = server.open(server.url(schema) + "&lock=100ms", Requests.HERE);
        idem = Idem.builder()
                .ledger("postgresql://postgres@127.0.0.1:" + proxy.port() + "/postgres?timeout=3s&schema=" + schema)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .open();
        server.execute("CREATE TABLE " + orders + " (item text NOT NULL)");
    }

    @AfterEach
    void close() throws Exception {
        proxy.mend();
        idem.close();
        beside.close();
        proxy.close();
    }

    private Operation<String> order() {
        return idem.operation("order").scope("shop").key("k").returning(String.class);
    }

    private long count() {
        return server.number("SELECT count(*) FROM " + orders);
    }

    private Connection connect() throws SQLException {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        return source.getConnection();
    }

    private ClaimRequest request() {
        return ClaimRequest.of(Requests.request("k").attemptId(), ORDER, Fingerprints.NONE, Owner.named("another"));
    }

    @Test
    void bothAreThereAndTheSecondCallReplays() throws SQLException {
        for (int i = 0; i < 2; i++) {
            String out = order().inTransaction(Connection.class).run((call, connection) -> {
                OrderMain.order(connection, orders);
                return "ordered";
            });
            assertThat(out).isEqualTo("ordered");
        }
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void whatThrowsLeavesNeitherAndWasNeverShown() throws SQLException {
        assertThatThrownBy(() -> order().inTransaction(Connection.class).run((call, connection) -> {
                    OrderMain.order(connection, orders);
                    throw new IllegalStateException("out of hats");
                }))
                .hasMessageContaining("out of hats");
        assertThat(count()).isZero();
        assertThat(beside.find(ORDER).orElseThrow().state()).isEqualTo(State.FAILED);
        order().inTransaction(Connection.class).run((call, connection) -> {
            OrderMain.order(connection, orders);
            return "ordered";
        });
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aSecondCallerIsInFlightMeanwhileAndNotBlocked() throws SQLException {
        order().inTransaction(Connection.class).run((call, connection) -> {
            OrderMain.order(connection, orders);
            assertThat(beside.claim(request())).isInstanceOf(Claim.InFlight.class);
            assertThat(beside.find(ORDER).orElseThrow().state()).isEqualTo(State.IN_PROGRESS);
            return "ordered";
        });
        assertThat(beside.claim(request())).isInstanceOf(Claim.Replay.class);
    }

    /** The lease may run out between the settle and the commit; the row is locked then. */
    @Test
    void anEntryThatATransactionHoldsIsInFlightEvenWhenItsLeaseIsOver() throws Exception {
        beside.claim(request().withLease(Duration.ofNanos(1000)).withStaged(true));
        try (Connection holder = connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT FROM " + schema + ".entries FOR UPDATE");
            assertThat(beside.claim(request())).isInstanceOf(Claim.InFlight.class);
            holder.rollback();
        }
        assertThat(beside.claim(request())).isInstanceOf(Claim.Granted.class);
    }

    /** Its expired result is not replayed, and the other transaction may hold it for long. */
    @Test
    void anExpiredEntryThatATransactionHoldsIsInFlightAfterTheTimeForOneLock() throws Exception {
        Claim.Granted granted = (Claim.Granted) beside.claim(request());
        beside.settle(
                granted.entry().ticket(),
                new Settlement.Completed(
                        new Result.Unavailable("nothing to keep"), Effect.CREATED, Retention.of(Duration.ofMillis(1))));
        try (Connection holder = connect();
                Statement statement = holder.createStatement();
                Ledger patient = server.open(server.url(schema) + "&lock=1s", Requests.HERE)) {
            holder.setAutoCommit(false);
            statement.execute("SELECT pg_sleep(0.01), count(*) FROM (SELECT FROM " + schema + ".entries FOR UPDATE) e");
            long start = System.nanoTime();
            assertThat(patient.claim(request())).isInstanceOf(Claim.InFlight.class);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            holder.rollback();
        }
        assertThat(beside.claim(request())).isInstanceOf(Claim.Granted.class);
    }

    /** A claim reads first, and does not wait for the commit of another transaction. */
    @Test
    void anEntryThatATransactionHasChangedIsInFlight() throws Exception {
        beside.claim(request());
        try (Connection holder = connect();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("UPDATE " + schema + ".entries SET state = 'complete'");
            assertThat(beside.claim(request())).isInstanceOf(Claim.InFlight.class);
            holder.rollback();
            assertThat(beside.claim(request())).isInstanceOf(Claim.InFlight.class);
        }
    }

    @Test
    void aCommitWhoseAnswerWasLostIsFoundOut() {
        AtomicInteger runs = new AtomicInteger();
        Outcome<String> out = order().inTransaction(Connection.class).attempt((call, connection) -> {
            runs.incrementAndGet();
            OrderMain.order(connection, orders);
            // Whatever is answered from here on is lost, the end of the savepoint first.
            proxy.swallowAnswers();
            Thread mending = new Thread(() -> {
                Until.isTrue("a line was broken", () -> proxy.swallowed() > 0);
                proxy.mend();
            });
            mending.start();
            return "ordered";
        });
        boolean there = count() == 1;
        State state = beside.find(ORDER).orElseThrow().state();
        assertThat(state).isEqualTo(there ? State.COMPLETE : State.FAILED);
        assertThat(out instanceof Outcome.Valued<String>).isEqualTo(there);
        assertThat(runs).hasValue(1);
    }

    @Test
    void theCallersConnectionIsUsedAndStaysTheCallers() throws Exception {
        try (Connection callers = connect()) {
            callers.setAutoCommit(false);
            order().inTransactionOn(callers).run((call, connection) -> {
                OrderMain.order(connection, orders);
                assertThatThrownBy(connection::commit).hasMessageContaining("which Idem begins and ends");
                return "ordered";
            });
            assertThat(count()).isEqualTo(1);
            assertThat(callers.isClosed()).isFalse();
            assertThat(callers.getAutoCommit()).isFalse();
        }
    }

    @Test
    void aConnectionThatDoesNotFitIsRefusedBeforeAnythingIsWritten() throws Exception {
        try (Connection callers = connect()) {
            assertThatThrownBy(() -> order().inTransactionOn(callers).run((call, connection) -> "x"))
                    .hasMessageContaining("setAutoCommit(false)");
            callers.setAutoCommit(false);
            try (Statement statement = callers.createStatement()) {
                statement.execute("SELECT 1");
            }
            assertThatThrownBy(() -> order().inTransactionOn(callers).run((call, connection) -> "x"))
                    .hasMessageContaining("something uncommitted");
        }
        assertThat(count()).isZero();
    }

    @Test
    void anErrorThatTheActionLetsPassLeavesNeither() {
        assertThatThrownBy(() -> order().inTransaction(Connection.class).run((call, connection) -> {
                    OrderMain.order(connection, orders);
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("SELECT 1 / 0");
                    } catch (SQLException e) {
                        // Let pass, as a careless action does.
                    }
                    return "ordered";
                }))
                .hasMessageContaining("Nothing was written");
        assertThat(count()).isZero();
        assertThat(beside.find(ORDER).orElseThrow().state()).isEqualTo(State.FAILED);
    }

    @Test
    void anActionThatEndsTheTransactionItselfIsInDoubt() {
        assertThatThrownBy(() -> order().inTransaction(Connection.class).run((call, connection) -> {
                    OrderMain.order(connection, orders);
                    try (Statement statement = connection.createStatement()) {
                        statement.execute("COMMIT");
                    }
                    return "ordered";
                }))
                .hasMessageContaining("its action has ended it");
        assertThat(beside.find(ORDER).orElseThrow().state()).isEqualTo(State.IN_DOUBT);
    }
}
