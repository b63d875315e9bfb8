package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.GroupRenewing.Unrenewed;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import dev.idem.testkit.Until;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Heartbeats while a row is locked by somebody else. */
@Timeout(60)
class RenewalTest {
    private static final Duration LONGER = Duration.ofHours(1);

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @Test
    void aLockedEntryDoesNotKeepTheOthersFromBeingRenewed() throws Exception {
        try (Ledger ledger = server.open(server.url(schema) + "&lock=100ms", Requests.HERE);
                Connection somebody = connect()) {
            Ticket locked = Requests.take(ledger, "locked");
            Ticket free = Requests.take(ledger, "free");
            somebody.setAutoCommit(false);
            lock(somebody, "locked");

            Unrenewed unrenewed =
                    ledger.as(GroupRenewing.class).orElseThrow().renewAll(Map.of(locked, LONGER, free, LONGER));

            assertThat(unrenewed).isEqualTo(new Unrenewed(Set.of(), Set.of(locked)));
            assertThat(leaseEnds("free") - leaseEnds("locked"))
                    .isGreaterThan(Duration.ofMinutes(30).toMillis() * 1000);
            assertThatThrownBy(() -> ledger.renew(locked, LONGER))
                    .isInstanceOf(LedgerUnavailableException.class)
                    .hasMessageContaining("is locked");

            somebody.rollback();
            assertThat(ledger.renew(locked, LONGER)).isTrue();
        }
    }

    /** A table lock holds up the whole statement: all but the first ticket were told that they are lost. */
    @Test
    void aLockedTableLosesNoTicket() throws Exception {
        PGSimpleDataSource hurried = source();
        hurried.setOptions("-c lock_timeout=200ms");
        PostgresqlSettings settings = PostgresqlSettings.defaults().withSchema(schema);
        try (Ledger ledger = PostgresqlLedger.open(hurried, settings, Requests.HERE);
                Connection somebody = connect()) {
            Ticket first = Requests.take(ledger, "first");
            Ticket second = Requests.take(ledger, "second");
            somebody.setAutoCommit(false);
            try (Statement statement = somebody.createStatement()) {
                statement.execute("LOCK TABLE " + schema + ".entries IN ACCESS EXCLUSIVE MODE");
            }
            GroupRenewing renewing = ledger.as(GroupRenewing.class).orElseThrow();
            assertThat(renewing.renewAll(Map.of(first, LONGER, second, LONGER)))
                    .isEqualTo(new Unrenewed(Set.of(), Set.of(first, second)));
            somebody.rollback();
            assertThat(renewing.renewAll(Map.of(first, LONGER, second, LONGER)))
                    .isEqualTo(new Unrenewed(Set.of(), Set.of()));
        }
    }

    /** A lock that a heartbeat meets is usually let go at once: a count of replays, or a mark. */
    @Test
    void aSingleRenewalWaitsForALock() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (Ledger ledger = server.open(server.url(schema) + "&lock=30s", Requests.HERE);
                Connection somebody = connect()) {
            Ticket locked = Requests.take(ledger, "locked");
            somebody.setAutoCommit(false);
            lock(somebody, "locked");
            Future<Boolean> renewed = thread.submit(() -> ledger.renew(locked, LONGER));
            Until.isTrue("it waits", () -> server.number("SELECT count(*) FROM pg_locks WHERE NOT granted") > 0);
            somebody.rollback();
            assertThat(renewed.get()).isTrue();
        } finally {
            thread.shutdownNow();
        }
    }

    private long leaseEnds(String key) {
        return server.number(
                "SELECT extract(epoch FROM lease) * 1000000 FROM " + schema + ".entries WHERE key = '" + key + "'");
    }

    private void lock(Connection connection, String key) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT FROM " + schema + ".entries WHERE key = '" + key + "' FOR UPDATE");
        }
    }

    private Connection connect() throws Exception {
        return source().getConnection();
    }

    private PGSimpleDataSource source() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        return source;
    }
}
