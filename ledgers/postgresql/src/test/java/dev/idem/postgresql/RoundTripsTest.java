package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.Entry;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Settlements;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many statements each step sends: each one is a round trip, and commits by itself. */
@Timeout(60)
class RoundTripsTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private final AtomicInteger sent = new AtomicInteger();
    private HikariDataSource connections;
    private Ledger ledger;

    @BeforeEach
    void open() {
        connections = new HikariDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                return counting(super.getConnection());
            }
        };
        connections.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        connections.setMaximumPoolSize(2);
        ledger =
                PostgresqlLedger.open(connections, PostgresqlSettings.defaults().withSchema(schema), Requests.HERE);
    }

    @AfterEach
    void close() {
        ledger.close();
        connections.close();
    }

    private Connection counting(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")
                            || method.getName().equals("createStatement")) {
                        sent.incrementAndGet();
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private <T> T sends(int count, Callable<T> step) throws Exception {
        sent.set(0);
        T answer = step.call();
        assertThat(sent).as("sent for " + answer).hasValue(count);
        return answer;
    }

    private <T extends Claim> T claims(int count, Class<T> as, ClaimRequest request) throws Exception {
        Claim claim = sends(count, () -> ledger.claim(request));
        assertThat(claim).isInstanceOf(as);
        return as.cast(claim);
    }

    @Test
    void aFirstCallSendsTwoAndADuplicateOne() throws Exception {
        Ticket ticket = claims(1, Claim.Granted.class, Requests.request("k").withStaged(true))
                .ticket();
        claims(1, Claim.InFlight.class, Requests.request("k"));
        assertThat(sends(1, () -> ledger.mark(ticket, Mark.of("charging")))).isTrue();
        assertThat(sends(1, () -> ledger.renew(ticket, Duration.ofMinutes(1)))).isTrue();
        assertThat(sends(1, () -> ledger.settle(ticket, Settlements.completed("1"))))
                .isInstanceOf(Settled.Recorded.class);
        claims(1, Claim.Replay.class, Requests.request("k"));
        ClaimRequest other = ClaimRequest.of(
                Requests.request("k").attemptId(),
                Requests.address("k"),
                new Fingerprints("2e".repeat(32), null),
                Requests.request("k").owner());
        claims(1, Claim.Conflict.class, other);
    }

    @Test
    void aGrantOverAnEntryAResolveAndAForgetSendTwo() throws Exception {
        Ticket failed = claims(1, Claim.Granted.class, Requests.request("k")).ticket();
        sends(1, () -> ledger.settle(failed, Settlements.failed()));
        Ticket again = claims(2, Claim.Granted.class, Requests.request("k")).ticket();
        sends(1, () -> ledger.settle(again, Settlements.doubtful()));
        claims(1, Claim.InDoubt.class, Requests.request("k"));
        Ticket rerun = claims(2, Claim.Granted.class, Requests.request("k").withTakeOver(TakeOver.RERUN))
                .ticket();
        sends(1, () -> ledger.settle(rerun, Settlements.doubtful()));
        Entry doubted = ledger.find(Requests.address("k")).orElseThrow();
        assertThat(sends(2, () -> ledger.resolve(doubted.address(), doubted.fence(), Settlements.completed("1"))))
                .isTrue();
        Entry resolved = ledger.find(Requests.address("k")).orElseThrow();
        assertThat(sends(2, () -> ledger.forget(resolved))).isTrue();
        assertThat(sends(1, () -> ledger.settle(rerun, Settlements.completed("1"))))
                .isInstanceOf(Settled.Stale.class);
    }
}
