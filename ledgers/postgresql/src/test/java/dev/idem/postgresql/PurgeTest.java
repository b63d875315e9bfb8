package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.spi.Ledger;
import dev.idem.spi.Retention;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.TryCounting.Hourly;
import dev.idem.spi.browse.TryCounting.Told;
import dev.idem.testkit.Settlements;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
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

    /** Claims may wait for what a purge has locked. */
    @Test
    void anHourThatSomebodyHoldsDoesNotHoldThePurge() throws Exception {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Ledger ledger = server.open(server.url(schema) + "&lock=20ms", Requests.HERE);
                Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            ledger.settle(Requests.take(ledger, "a"), Settlements.failed(Retention.of(Duration.ofNanos(1000))));
            Browsable browsable = ledger.as(Browsable.class).orElseThrow();
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO " + schema + ".hours SELECT date_trunc('hour', now(), 'UTC')"
                    + " + h * interval '1 hour', 'shop', 'charge', 'failed', -1, part, 0"
                    + " FROM generate_series(-1, 1) AS h, generate_series(0, 15) AS part");
            Future<Integer> purge = CompletableFuture.supplyAsync(() -> browsable.purge(100));
            try {
                assertThat(purge)
                        .failsWithin(Duration.ofSeconds(30))
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(LedgerUnavailableException.class)
                        .withMessageContaining("a row that another transaction locked for too long");
            } finally {
                connection.rollback();
            }
            assertThat(browsable.purge(100)).isEqualTo(1);
            assertThat(server.number("SELECT sum(count) FROM " + schema + ".hours"))
                    .isEqualTo(1);
        }
    }

    /** In another order, each could hold a row that the other waits for. */
    @Test
    void aPurgeAndTheCountOfDuplicatesLockTheHoursInTheSameOrder() {
        server.execute("CREATE DATABASE english TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en'");
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/english?user=postgres");
        PostgresqlErrors errors = new PostgresqlErrors("here", "idem");
        Server english = new Server("here", PostgresqlSettings.defaults(), errors, Database.of(source, errors));
        PostgresqlStore store = new PostgresqlStore(english);
        Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS);
        try (Ledger ledger = PostgresqlLedger.open(source, english.settings(), Requests.HERE)) {
            List<String> operations = List.of("a", "B", "c", "D");
            for (String operation : operations) {
                Requests.take(ledger, new Address("shop", operation, "k"));
            }
            store.countReplays(
                    Map.of(),
                    operations.stream()
                            .map(each -> new Hourly(hour, "shop", each, Kind.DUPLICATE, -1, 1))
                            .toList());
            List<String> counted = inserted(english);
            store.deleteTold(store.scan(Query.all(), EnumSet.allOf(State.class), Long.MAX_VALUE, 10).rows().stream()
                    .map(row -> new Told(
                            row, List.of(new Hourly(hour, "shop", row.at().operation(), Kind.FAILED, -1, 1))))
                    .toList());
            assertThat(counted).containsExactly("B", "D", "a", "c");
            assertThat(inserted(english)).containsExactly("B", "D", "a", "c", "B", "D", "a", "c");
        } finally {
            server.execute("DROP DATABASE english");
        }
    }

    /** The operations in the order in which their rows came. */
    private static List<String> inserted(Server server) {
        return server.database().ask("SELECT operation FROM idem.hours ORDER BY ctid", parameters -> {}, rows -> {
            List<String> operations = new ArrayList<>();
            while (rows.next()) {
                operations.add(rows.getString(1));
            }
            return operations;
        });
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
