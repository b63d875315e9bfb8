package dev.idem.postgresql;

import dev.idem.entry.Moment;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.LedgerUrl;
import dev.idem.ledger.Processes;
import dev.idem.sql.Micros;
import dev.idem.testkit.LedgerFixture;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** A real server for the tests of one JVM: durable as in earnest, on a port of its own, gone with the JVM. */
final class TestServer {
    private static final TestServer SHARED = new TestServer("shared");
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final EmbeddedPostgres postgres;
    private final Connection clock;

    private TestServer(String name) {
        try {
            postgres = builder(folder().resolve(
                                    name + "-" + ProcessHandle.current().pid()))
                    .start();
            clock = postgres.getPostgresDatabase().getConnection();
            // The clock of a test need not survive a crash.
            execute("SET synchronous_commit = off");
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("no PostgreSQL for the tests", e);
        }
    }

    /** The server all tests of this JVM share, each with schemas of its own. */
    static TestServer shared() {
        return SHARED;
    }

    /** A server that is as durable as one in earnest; zonky's own settings are not. */
    static EmbeddedPostgres.Builder builder(Path data) {
        return EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(folder().resolve("binaries").toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(true)
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "200")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setPGStartupWait(Duration.ofSeconds(60));
    }

    /** Everything a server leaves is under here. */
    static Path folder() {
        return Path.of("target", "postgresql").toAbsolutePath();
    }

    int port() {
        return postgres.getPort();
    }

    /** A schema that no other test has. */
    static String newSchema() {
        return "test_" + SCHEMAS.incrementAndGet();
    }

    String url(String schema) {
        return "postgresql://postgres@127.0.0.1:" + port() + "/postgres?pool=4&schema=" + schema;
    }

    Ledger open(String url, LedgerContext context) {
        return new PostgresqlLedgerProvider().open(LedgerUrl.parse(url), context);
    }

    /** A store of its own, whose server's clock follows the kit's. */
    LedgerFixture fixture(String options) {
        String schema = newSchema();
        String url = url(schema) + options;
        open(url, new LedgerContext(() -> Moment.ofWall(Instant.EPOCH), Processes.unknown()))
                .close();
        execute("CREATE TABLE " + schema + ".clock AS SELECT 0::bigint AS now");
        execute("CREATE OR REPLACE FUNCTION " + schema + ".idem_now() RETURNS bigint LANGUAGE sql VOLATILE AS"
                + " $$ SELECT now FROM " + schema + ".clock $$");
        return LedgerFixture.serverTimed(context -> open(url, context), now -> set(schema, now));
    }

    private void set(String schema, Instant now) {
        execute("UPDATE " + schema + ".clock SET now = " + Micros.of(now));
    }

    /** Runs a statement as the administrator. */
    synchronized void execute(String sql) {
        try (Statement statement = clock.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    static void close(EmbeddedPostgres server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
