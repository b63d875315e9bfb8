package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.GroupRenewing;
import dev.idem.ledger.GroupRenewing.Unrenewed;
import dev.idem.ledger.Ledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** Heartbeats while a row is locked by somebody else. */
@Timeout(60)
class RenewalTest {
    private static final Duration LONGER = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @Test
    void a_locked_entry_does_not_keep_the_others_from_being_renewed() throws Exception {
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
                    .hasMessageContaining("End that transaction");

            somebody.rollback();
            assertThat(ledger.renew(locked, LONGER)).isTrue();
        }
    }

    @Test
    void an_interrupt_does_not_make_it_ask_without_a_pause() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (HikariDataSource connections = counting(asked);
                Ledger ledger = PostgresqlLedger.open(
                        connections,
                        PostgresqlSettings.defaults().withSchema(schema).withLockTimeout(PATIENCE));
                Connection somebody = connect()) {
            Ticket locked = Requests.take(ledger, "locked");
            somebody.setAutoCommit(false);
            lock(somebody, "locked");
            asked.set(0);

            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> ledger.renew(locked, LONGER)).isInstanceOf(LedgerUnavailableException.class);

            assertThat(Thread.interrupted()).isTrue();
            assertThat(asked).hasValueLessThan((int) PATIENCE.toMillis() / 2 + 5);
            somebody.rollback();
        }
    }

    private HikariDataSource counting(AtomicInteger asked) {
        HikariDataSource counting = new HikariDataSource() {
            @Override
            public Connection getConnection() throws SQLException {
                asked.incrementAndGet();
                return super.getConnection();
            }
        };
        counting.setJdbcUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        counting.setMaximumPoolSize(2);
        return counting;
    }

    private long leaseEnds(String key) {
        return server.number("SELECT lease FROM " + schema + ".entry WHERE key = '" + key + "'");
    }

    private void lock(Connection connection, String key) throws Exception {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT FROM " + schema + ".entry WHERE key = '" + key + "' FOR UPDATE");
        }
    }

    private Connection connect() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        return source.getConnection();
    }
}
