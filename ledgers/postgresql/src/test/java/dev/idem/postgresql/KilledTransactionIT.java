package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.spi.Ledger;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whenever the process is killed, there is one order and a complete entry, or neither. */
@Timeout(120)
class KilledTransactionIT {
    private static final Address ORDER = new Address("shop", "order", "k");

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private final String url = server.url(schema);

    @BeforeEach
    void makeTable() {
        server.open(url, Requests.HERE).close();
        server.execute("CREATE TABLE " + orders() + " (item text NOT NULL)");
    }

    private String orders() {
        return schema + ".orders";
    }

    private long count() {
        return server.number("SELECT count(*) FROM " + orders());
    }

    static Stream<String> points() {
        return Thorough.first(2, "after the row", "after commit", "after claim");
    }

    static IntStream rounds() {
        return IntStream.range(0, Thorough.times(1, 6));
    }

    @ParameterizedTest
    @MethodSource("points")
    void killedAtANamedPoint(String point) throws Exception {
        try (Ledger ledger = server.open(url, Requests.HERE);
                ChildProcess child = ChildProcess.start(OrderMain.class, url, orders(), point)) {
            assertThat(child.line()).isEqualTo("ready");
            assertThat(child.line()).isEqualTo("at " + point);
            boolean committed = point.equals("after commit");
            assertThat(count()).as("what others see").isEqualTo(committed ? 1 : 0);
            assertThat(ledger.find(ORDER).orElseThrow().state())
                    .isEqualTo(committed ? State.COMPLETE : State.IN_PROGRESS);
            child.kill();
            afterwards();
        }
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void killedAtAnyTime(int round) throws Exception {
        try (ChildProcess child = ChildProcess.start(OrderMain.class, url, orders(), "never")) {
            assertThat(child.line()).isEqualTo("ready");
            LockSupport.parkNanos(
                    Duration.ofMillis(ThreadLocalRandom.current().nextLong(60)).toNanos());
            child.kill();
            afterwards();
        }
    }

    /** The order is there with its entry, or the next caller makes it; never is it there twice. */
    private void afterwards() throws SQLException {
        try (Idem idem = Idem.builder().ledger(url).quiet().open()) {
            String out = idem.operation("order")
                    .scope("shop")
                    .key("k")
                    .returning(String.class)
                    .inTransaction(Connection.class)
                    .run((call, connection) -> {
                        OrderMain.order(connection, orders());
                        return "ordered";
                    });
            assertThat(out).isEqualTo("ordered");
        }
        assertThat(count()).isEqualTo(1);
        try (Ledger ledger = server.open(url, Requests.HERE)) {
            assertThat(ledger.find(ORDER).orElseThrow().state()).isEqualTo(State.COMPLETE);
        }
    }
}
