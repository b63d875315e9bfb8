package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Claim;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Fences of an address grow in the order of its grants, also when a claim is held up half way. */
@Timeout(60)
class FenceTest {
    private static final int BEFORE_IT_WRITES = 7_101;
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private final String addressLock = schema + ".address_lock('shop', 'charge', 'k')";
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private Ledger ledger;
    private Ledger slow;

    @BeforeEach
    void open() {
        ledger = server.open(server.url(schema), Requests.HERE);
        // Where a claim of a new key has drawn its fence and not yet written it.
        server.execute("CREATE FUNCTION " + schema + """
                .hold_up() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF current_setting('test.slow', true) = 'on' THEN
                        PERFORM pg_advisory_xact_lock_shared(%d);
                    END IF;
                    RETURN NEW;
                END $$""".formatted(BEFORE_IT_WRITES));
        server.execute("CREATE TRIGGER hold_up BEFORE INSERT ON " + schema + ".entries FOR EACH ROW EXECUTE FUNCTION "
                + schema + ".hold_up()");
        server.execute("SELECT pg_advisory_lock(" + addressLock + "), pg_advisory_lock(" + BEFORE_IT_WRITES + ")");
    }

    @AfterEach
    void close() {
        server.execute("SELECT pg_advisory_unlock_all()");
        threads.shutdownNow();
        if (slow != null) {
            slow.close();
        }
        ledger.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClaimThatWasHeldUpWhileOthersCameAndWentGetsTheHighest(boolean forgotten) throws Exception {
        slow = slow();
        Future<Claim> held = threads.submit(() -> slow.claim(Requests.request("k")));
        Until.isTrue("it has found nothing", () -> waiting() == 1);
        Ticket first = claimedByHand();
        letGo(addressLock);
        Until.isTrue("it has its fence", () -> waitingFor(BEFORE_IT_WRITES) == 1);

        ledger.settle(first, Settlements.failed());
        Ticket second = Requests.take(ledger, "k");
        Retention brief = Retention.of(Duration.ofNanos(1000));
        ledger.settle(second, Settlements.completed("1", forgotten ? Settlements.DAY : brief));
        if (forgotten) {
            assertThat(ledger.forget(ledger.find(second.address()).orElseThrow()))
                    .isTrue();
        } else {
            Until.isTrue("it has expired", () -> ledger.find(second.address()).isEmpty());
        }
        ledger.as(Browsable.class).orElseThrow().purge(10);
        letGo("" + BEFORE_IT_WRITES);

        Claim.Granted last = (Claim.Granted) held.get();
        assertThat(last.ticket().fence().number()).isGreaterThan(second.fence().number());
    }

    private Ledger slow() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(
                "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres&options=-c%20test.slow=on");
        PostgresqlSettings settings =
                PostgresqlSettings.defaults().withSchema(schema).withLockTimeout(Duration.ofSeconds(50));
        return PostgresqlLedger.open(source, settings, Requests.HERE);
    }

    /** By the session that has the lock. */
    private Ticket claimedByHand() {
        long fence =
                server.number("SELECT (" + schema + ".insert_entry('shop', 'charge', 'k', 1, 'in_progress', 30000000,"
                        + " NULL, NULL, '{\"v\":1,\"attempt_id\":\"" + "0".repeat(32)
                        + "\",\"owner\":\"tester\",\"time_limit\":300}', NULL, '2s')).fence");
        return new Ticket(Requests.address("k"), new Fence(fence));
    }

    private void letGo(String lock) {
        server.execute("SELECT pg_advisory_unlock(" + lock + ")");
    }

    private long waitingFor(int lock) {
        return server.number(
                "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = " + lock);
    }

    private long waiting() {
        return server.number("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted");
    }
}
