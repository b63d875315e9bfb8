package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.LedgerUnavailableException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.TransactedOperation;
import dev.idem.testkit.Race;
import dev.idem.testkit.Until;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Transactions take connections of the pool for as long as their actions run. Heartbeats need one meanwhile. */
@Timeout(60)
class LendingTest {
    private static final Address FIRST = new Address("shop", "order", "first");

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    /** Two transactions took both connections, and the leases of both ran out while they worked. */
    @Test
    void transactionsLeaveAConnectionToTheHeartbeats() {
        try (Idem idem = open("pool=2&timeout=500ms")) {
            Outcome<String> out = ordering(idem, "first").attempt((call, connection) -> {
                Outcome<String> refused = elsewhere(idem, "second");
                assertThat(refused.failure())
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("larger pool=");
                Instant lease = lease(idem);
                Until.isTrue("the lease is renewed", () -> lease(idem).isAfter(lease));
                return "ordered";
            });
            assertThat(out).isInstanceOf(Outcome.Done.class);
            assertThat(elsewhere(idem, "second"))
                    .as("its connection was given back")
                    .isInstanceOf(Outcome.Done.class);
        }
    }

    @Test
    void aPoolOfOneConnectionHasNoneForATransaction() {
        try (Idem idem = open("pool=1")) {
            Outcome<String> refused = ordering(idem, "first").attempt((call, connection) -> "ordered");
            assertThat(refused.failure())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pool=2");
            assertThat(idem.operation("order").key("plain").run(call -> "ordered"))
                    .isEqualTo("ordered");
        }
    }

    private Idem open(String options) {
        return Idem.builder()
                .ledger("postgresql://postgres@127.0.0.1:" + server.port() + "/postgres?" + options + "&schema="
                        + schema)
                .quiet()
                .purgeEvery(Duration.ZERO)
                .open();
    }

    private static TransactedOperation<Connection, String> ordering(Idem idem, String key) {
        return idem.operation("order")
                .scope("shop")
                .key(key)
                .policy(Policy.unset().lease(Duration.ofSeconds(3)))
                .returning(String.class)
                .inTransaction(Connection.class);
    }

    /** The answer that another thread gets. */
    private static Outcome<String> elsewhere(Idem idem, String key) {
        List<Outcome<String>> answers =
                Race.of(1, () -> ordering(idem, key).attempt((call, connection) -> "ordered too"));
        return answers.get(0);
    }

    private static Instant lease(Idem idem) {
        return idem.find(FIRST).orElseThrow().tenure().lease().wall();
    }
}
