package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Claim;
import dev.idem.spi.Ledger;
import dev.idem.testkit.Settlements;
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

/** A server may be set to stricter isolation, under which it refuses steps that meet: they are taken again. */
@Timeout(60)
class IsolationTest {
    private static final int THREADS = 6;
    private static final int KEYS = 40;

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @ParameterizedTest
    @ValueSource(strings = {"read committed", "repeatable read", "serializable"})
    void racing_claims_are_granted_once(String isolation) throws Exception {
        String url =
                server.url(schema) + "&options=-c%20default_transaction_isolation=" + isolation.replace(" ", "%5C%20");
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
}
