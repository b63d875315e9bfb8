package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.spi.Claim;
import dev.idem.spi.Ledger;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A server may be set to stricter isolation, under which it refuses steps that meet: they are taken again. */
@Timeout(60)
class IsolationTest {
    private static final int THREADS = 6;
    private static final int KEYS = 40;

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void racingClaimsAreGrantedOnce(String isolation) throws Exception {
        String url = url(isolation);
        AtomicInteger granted = new AtomicInteger();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Ledger ledger = server.open(url, Requests.HERE)) {
            for (int key = 0; key < KEYS; key++) {
                String name = "k" + key;
                CountDownLatch gate = new CountDownLatch(1);
                Callable<Void> claim = () -> {
                    gate.await();
                    if (ledger.claim(Requests.request(name)) instanceof Claim.Granted won) {
                        granted.incrementAndGet();
                        ledger.settle(won.ticket(), Settlements.completed("1"));
                    }
                    return null;
                };
                List<Future<Void>> all = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    all.add(threads.submit(claim));
                }
                gate.countDown();
                for (Future<Void> one : all) {
                    one.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(granted).hasValue(KEYS);
    }

    /** Under the isolation that the server is set to, the settle failed each time after a heartbeat. */
    @ParameterizedTest
    @ValueSource(strings = {"repeatable read", "serializable"})
    void anActionInATransactionMayOutlastAHeartbeat(String isolation) {
        Address at = new Address("shop", "order", "k");
        try (Idem idem = open(isolation)) {
            Outcome<String> out = order(idem).inTransaction(Connection.class).attempt((call, connection) -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("SELECT 1");
                }
                Instant lease = idem.find(at).orElseThrow().tenure().lease().wall();
                Until.isTrue(
                        "a heartbeat came",
                        () -> idem.find(at)
                                .orElseThrow()
                                .tenure()
                                .lease()
                                .wall()
                                .isAfter(lease));
                return "ordered";
            });
            assertThat(out).isInstanceOf(Outcome.Done.class);
        }
    }

    /** An action of a few seconds worked, and a longer one failed each time: its settle met a heartbeat. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void aCallersConnectionOfStricterIsolationIsRefused(int isolation) throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Idem idem = open("read committed");
                Connection callers = source.getConnection()) {
            callers.setAutoCommit(false);
            callers.setTransactionIsolation(isolation);
            assertThatThrownBy(() -> order(idem).inTransactionOn(callers).run((call, connection) -> "ordered"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED)");
            callers.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            assertThat(order(idem).inTransactionOn(callers).run((call, connection) -> "ordered"))
                    .isEqualTo("ordered");
        }
    }

    private static Operation<String> order(Idem idem) {
        return idem.operation("order")
                .scope("shop")
                .key("k")
                .policy(Policy.unset().lease(Duration.ofSeconds(3)))
                .returning(String.class);
    }

    private Idem open(String isolation) {
        return Idem.builder()
                .ledger(url(isolation))
                .quiet()
                .purgeEvery(Duration.ZERO)
                .open();
    }

    private String url(String isolation) {
        return server.url(schema) + "&options=-c%20default_transaction_isolation=" + isolation.replace(" ", "%5C%20");
    }
}
