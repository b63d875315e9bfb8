package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.Settlements;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A purge works beside others and waits for nobody. */
@Timeout(60)
class PurgeTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    @Test
    void anEntryThatSomebodyHoldsIsLeftForTheNextTime() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Ledger ledger = server.open(server.url(schema), Requests.HERE);
                Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            Retention brief = Retention.of(Duration.ofNanos(1000));
            for (String key : new String[] {"a", "b", "c"}) {
                ledger.settle(Requests.take(ledger, key), Settlements.completed("1", brief));
            }
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            connection.setAutoCommit(false);
            statement.execute("SELECT FROM " + schema + ".entries WHERE key = 'b' FOR UPDATE");
            assertThat(browsable.purge(100)).isEqualTo(2);
            connection.rollback();
            assertThat(browsable.purge(100)).isEqualTo(1);
            assertThat(server.number("SELECT count(*) FROM " + schema + ".entries"))
                    .isZero();
        }
    }

    /** Whoever claims an address again holds its lock; there may be more of them than a batch has place for. */
    @Test
    void whatIsAboutToBeClaimedAgainDoesNotKeepTheRestFromBeingPurged() {
        try (Ledger ledger = server.open(server.url(schema), Requests.HERE)) {
            Retention brief = Retention.of(Duration.ofNanos(1000));
            for (int i = 0; i < 100; i++) {
                ledger.settle(Requests.take(ledger, "k" + i), Settlements.completed("1", brief));
            }
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            String locks = schema + ".address_lock(scope, operation, key)) FROM (SELECT * FROM " + schema
                    + ".entries ORDER BY due LIMIT 80) AS oldest";
            server.execute("SELECT pg_advisory_lock(" + locks);
            try {
                assertThat(browsable.purge(1000)).isEqualTo(20);
            } finally {
                server.execute("SELECT pg_advisory_unlock(" + locks);
            }
            assertThat(browsable.purge(1000)).isEqualTo(80);
        }
    }

    @Test
    void entriesThatCanNotBeReadKeepNoOtherFromBeingPurged() {
        try (Ledger ledger = server.open(server.url(schema), Requests.HERE)) {
            Retention brief = Retention.of(Duration.ofNanos(1000));
            for (int i = 0; i < 151; i++) {
                ledger.settle(Requests.take(ledger, "k" + i), Settlements.completed("1", brief));
            }
            server.execute("UPDATE " + schema + ".entries SET document = '{' WHERE key <> 'k150'");
            assertThat(ledger.as(Browsable.class).orElseThrow().purge(100)).isEqualTo(1);
            assertThat(server.number("SELECT count(*) FROM " + schema + ".entries WHERE key = 'k150'"))
                    .isZero();
        }
    }

    @Test
    void goesOnWhereItStoppedAndThenBeginsAnew() {
        try (Ledger ledger = server.open(server.url(schema), Requests.HERE)) {
            Retention brief = Retention.of(Duration.ofNanos(1000));
            for (int i = 0; i < 10; i++) {
                ledger.settle(Requests.take(ledger, "k" + i), Settlements.completed("1", brief));
                ledger.settle(Requests.take(ledger, "f" + i), Settlements.failed(brief));
            }
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            assertThat(browsable.purgeable()).hasValue(20);
            int purged = 0;
            for (int i = 0; i < 10; i++) {
                purged += browsable.purge(3);
            }
            assertThat(purged).isEqualTo(20);
            assertThat(browsable.purgeable()).hasValue(0);
        }
    }
}
