package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Settlements;
import dev.idem.testkit.Until;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.PGConnection;
import org.postgresql.ds.PGSimpleDataSource;

/** Waiters are woken across processes, and only they cost an announcement. */
@Timeout(60)
class WakingTest {
    private static final Address KEY = Requests.address("k");

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();
    private Proxy proxy;
    private Ledger waiting;
    private Ledger working;

    @BeforeEach
    void open() throws Exception {
        proxy = new Proxy(server.port());
        working = server.open(server.url(schema), Requests.HERE);
        waiting = server.open(
                "postgresql://postgres@127.0.0.1:" + proxy.port() + "/postgres?timeout=20s&schema=" + schema,
                Requests.HERE);
    }

    @AfterEach
    void close() throws Exception {
        waiting.close();
        working.close();
        proxy.close();
    }

    private Awaitable awaitable() {
        return waiting.as(Awaitable.class).orElseThrow();
    }

    @Test
    void aWaiterHearsOfWhatAnotherProcessDoes() throws Exception {
        Semaphore bell = new Semaphore(0);
        Ticket ticket = Requests.take(working, "k");
        try (Awaitable.Watch watch = awaitable().watch(KEY, bell::release)) {
            assertThat(watch).isNotNull();
            // The one look that every new waiter is given.
            assertThat(bell.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            working.settle(ticket, Settlements.completed("1"));
            assertThat(bell.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(server.number("SELECT count(*) FROM " + schema + ".waiting"))
                .as("nobody waits any more")
                .isZero();
    }

    @Test
    void aWaiterHearsAgainAfterTheLineWasCut() throws Exception {
        Semaphore bell = new Semaphore(0);
        Ticket ticket = Requests.take(working, "k");
        try (Awaitable.Watch watch = awaitable().watch(KEY, bell::release)) {
            assertThat(watch).isNotNull();
            assertThat(bell.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            // As a crash of the server would.
            server.execute("DELETE FROM " + schema + ".waiting");
            proxy.hangUp();
            assertThat(bell.tryAcquire(60, TimeUnit.SECONDS))
                    .as("woken, since changes may have gone by")
                    .isTrue();
            Until.isTrue("it listens again", () -> server.number("SELECT count(*) FROM " + schema + ".waiting") == 1);
            working.settle(ticket, Settlements.completed("1"));
            assertThat(bell.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatNobodyWaitsForIsNotAnnounced() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("LISTEN " + Statements.channel(schema));
            working.settle(Requests.take(working, "other"), Settlements.completed("1"));
            Ticket ticket = Requests.take(working, "k");
            try (Awaitable.Watch watch = awaitable().watch(KEY, () -> {})) {
                assertThat(watch).isNotNull();
                working.settle(ticket, Settlements.completed("1"));
            }
            var heard = connection.unwrap(PGConnection.class).getNotifications(10_000);
            assertThat(heard).hasSize(1);
            assertThat(heard[0].getParameter()).isEqualTo("[\"shop\", \"charge\", \"k\"]");
        }
    }

    @Test
    void whatKilledProcessesWaitedForIsCleanedUp() throws Exception {
        server.execute("INSERT INTO " + schema + ".waiting VALUES ('shop', 'charge', 'old', 'gone', '2020-01-01')");
        try (Awaitable.Watch watch = awaitable().watch(KEY, () -> {})) {
            assertThat(watch).isNotNull();
            assertThat(server.texts("SELECT key FROM " + schema + ".waiting")).containsExactly("k");
        }
    }

    @Test
    void withNotifyOffWaitersPoll() {
        try (Ledger ledger = server.open(server.url(schema) + "&notify=off", Requests.HERE)) {
            assertThat(ledger.as(Awaitable.class)).isEmpty();
            assertThat(ledger.describe()).contains("poll");
        }
    }
}
