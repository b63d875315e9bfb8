package dev.idem.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.Ledger;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.Settlements;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

/** A ledger that can't be opened says why and what to do; one that can is made by whoever comes first. */
@Timeout(60)
class OpeningTest {
    private final TestServer server = TestServer.shared();
    private final String schema = TestServer.newSchema();

    private String url(String userInfo, String database, String options) {
        return "postgresql://" + userInfo + "@127.0.0.1:" + server.port() + "/" + database + "?timeout=20s&schema="
                + schema + options;
    }

    private Ledger open(String url) {
        return server.open(url, Requests.HERE);
    }

    private void role(String name, String options) {
        server.execute("DO $$ BEGIN IF to_regrole('" + name + "') IS NULL THEN CREATE ROLE " + name
                + " LOGIN PASSWORD 'right'; END IF; END $$");
        if (!options.isEmpty()) {
            server.execute("ALTER ROLE " + name + " " + options);
        }
    }

    @Test
    void aWrongPassword() {
        role(TestServer.GUARDED, "");
        assertThatThrownBy(() -> open(url(TestServer.GUARDED + ":wrong", "postgres", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("check the user's name and password")
                .hasMessageNotContaining("wrong");
        server.execute("GRANT CREATE ON DATABASE postgres TO " + TestServer.GUARDED);
        open(url(TestServer.GUARDED + ":right", "postgres", "")).close();
    }

    @Test
    void aWrongDatabase() {
        assertThatThrownBy(() -> open(url("postgres", "nowhere", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("/nowhere has no such database")
                .hasMessageContaining("create it, or name another");
    }

    @Test
    void nobodyIsThere() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        assertThatThrownBy(() -> open("postgresql://postgres@127.0.0.1:" + free + "/postgres?timeout=1s"))
                .isInstanceOf(LedgerUnavailableException.class)
                .hasMessageContaining("gave no answer");
    }

    @Test
    void aRoleThatMayNotMakeTheSchemaIsGivenTheSql() {
        role("nobody", "");
        assertThatThrownBy(() -> open(url("nobody", "postgres", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("has no schema " + schema)
                .hasMessageContaining("Have an administrator apply this SQL")
                .hasMessageContaining("CREATE TABLE " + schema + ".entries");
        // The SQL of the message makes the schema.
        server.execute(PostgresqlSchema.sql(schema));
        server.execute("GRANT USAGE ON SCHEMA " + schema + " TO nobody");
        server.execute("GRANT SELECT ON " + schema + ".migration TO nobody");
        assertThatThrownBy(() -> open(url("nobody", "postgres", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema + ".entries TO nobody;")
                .hasMessageContaining("GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema + ".waiting TO nobody;")
                .hasMessageContaining("GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema + ".hours TO nobody;")
                .hasMessageContaining("GRANT USAGE ON SEQUENCE " + schema + ".fence TO nobody;");
        server.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON " + schema + ".entries, " + schema + ".waiting, "
                + schema + ".hours TO nobody; GRANT USAGE ON SEQUENCE " + schema + ".fence TO nobody");
        try (Ledger ledger = open(url("nobody", "postgres", ""))) {
            ledger.settle(Requests.take(ledger, "k"), Settlements.completed("1"));
            assertThat(ledger.claim(Requests.request("labelled").withLabels(Map.of("run", "7"))))
                    .isInstanceOf(Claim.Granted.class);
        }
    }

    @Test
    void migrateOffChangesNothingAndGivesTheSql() {
        assertThatThrownBy(() -> open(url("postgres", "postgres", "&migrate=off")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("migrate=off")
                .hasMessageContaining("CREATE SCHEMA IF NOT EXISTS " + schema);
        assertThat(server.number("SELECT count(*) FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isZero();
    }

    @Test
    void anOlderSchemaIsBroughtUpToDate() {
        String tables = PostgresqlSchema.sql(schema);
        int second = tables.indexOf("-- Format 2");
        server.execute(tables.substring(0, second) + "COMMIT;");
        assertThatThrownBy(() -> open(url("postgres", "postgres", "&migrate=off")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("has an older schema " + schema + " (format 1)")
                .hasMessageContaining("CREATE FUNCTION " + schema + ".insert_entry")
                .hasMessageNotContaining("CREATE TABLE " + schema + ".entries");
        try (Ledger ledger = open(url("postgres", "postgres", ""))) {
            ledger.settle(Requests.take(ledger, "k"), Settlements.completed("1"));
            // What was purged before the update, nothing tells.
            assertThat(ledger.as(Browsable.class)
                            .orElseThrow()
                            .figures(Query.all().withAge(null, Duration.ofDays(1))))
                    .get()
                    .extracting(Figures::from)
                    .isNotNull();
        }
        assertThat(server.number("SELECT max(version) FROM " + schema + ".migration"))
                .isEqualTo(PostgresqlSchema.all().newest());
    }

    @Test
    void aNewerSchemaIsLeftAlone() {
        open(url("postgres", "postgres", "")).close();
        server.execute("INSERT INTO " + schema + ".migration (version, name, checksum) VALUES ("
                + (PostgresqlSchema.all().newest() + 1) + ", 'new.sql', 'x')");
        assertThatThrownBy(() -> open(url("postgres", "postgres", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("newer version of Idem")
                .hasMessageContaining("upgrade Idem");
    }

    @Test
    void aReadOnlyRole() {
        role("reader", "SET default_transaction_read_only = on");
        assertThatThrownBy(() -> open(url("reader", "postgres", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("transaction_read_only is on")
                .hasMessageContaining("ALTER ROLE");
    }

    @Test
    void commitsThatDoNotReachTheDiskAreRefused() {
        role("hasty", "SET synchronous_commit = off");
        assertThatThrownBy(() -> open(url("hasty", "postgres", "")))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("synchronous_commit is off");
    }

    @Test
    void manyMayMakeTheSchemaAtOnce() throws Exception {
        int count = 12;
        ExecutorService threads = Executors.newFixedThreadPool(count);
        CountDownLatch gate = new CountDownLatch(1);
        Callable<Void> work = () -> {
            gate.await();
            open(url("postgres", "postgres", "&pool=1")).close();
            return null;
        };
        try {
            List<Future<Void>> all = IntStream.range(0, count)
                    .mapToObj(i -> threads.submit(work))
                    .toList();
            gate.countDown();
            for (Future<Void> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(server.number("SELECT count(*) FROM " + schema + ".migration"))
                .isEqualTo(PostgresqlSchema.all().newest());
    }

    @Test
    void aDataSourceThatDoesNotCommitByItselfWillDo() {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl("jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres?user=postgres");
        try (Ledger ledger = PostgresqlLedger.open(
                new ManualCommits(source), PostgresqlSettings.defaults().withSchema(schema))) {
            ledger.settle(Requests.take(ledger, "k"), Settlements.completed("1"));
        }
        try (Ledger ledger = open(url("postgres", "postgres", ""))) {
            assertThat(ledger.find(Requests.address("k"))).isPresent();
        }
    }

    @Test
    void thePasswordIsNowhereToBeSeen() {
        try (Ledger ledger = open(url("postgres:secret", "postgres", ""))) {
            assertThat(ledger.describe()).doesNotContain("secret").contains("/postgres", schema, "NOTIFY");
        }
    }

    @Test
    void aRoleThatMayOnlyReadLooksAtALedger() {
        try (Ledger ledger = open(url("postgres", "postgres", ""))) {
            ledger.settle(Requests.take(ledger, "k"), Settlements.completed("1"));
        }
        role("reader", "SET default_transaction_read_only = on");
        server.execute("GRANT USAGE ON SCHEMA " + schema + " TO reader");
        server.execute("GRANT SELECT ON ALL TABLES IN SCHEMA " + schema + " TO reader");
        try (Ledger look = server.open(url("reader:right", "postgres", ""), Requests.HERE.forReading())) {
            assertThat(look.find(Requests.address("k"))).isPresent();
            Browsable browsable = look.as(Browsable.class).orElseThrow();
            assertThat(browsable.browse(Query.all()).entries()).hasSize(1);
            assertThat(browsable.stats().count(State.COMPLETE)).isEqualTo(1);
            look.as(Historied.class).orElseThrow().trail(Requests.address("k"));
        }
    }

    @Test
    void lookingAtASchemaThatIsNotThereMakesNone() {
        assertThatThrownBy(() -> server.open(url("postgres", "postgres", ""), Requests.HERE.forReading()))
                .isInstanceOf(LedgerUnreadableException.class)
                .hasMessageContaining("reading does not create a ledger");
        assertThat(server.number("SELECT count(*) FROM pg_namespace WHERE nspname = '" + schema + "'"))
                .isZero();
    }
}
