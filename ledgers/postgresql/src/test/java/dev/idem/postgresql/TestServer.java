package dev.idem.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import dev.idem.lab.PostgresqlStock;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerUrl;
import dev.idem.testkit.LedgerFixture;
import dev.idem.testkit.MemoryFolder;
import dev.idem.testkit.Until;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A real server for the tests of one JVM: durable as in earnest, on a port of its own, gone with the JVM. */
final class TestServer {
    private static final TestServer SHARED = new TestServer("shared");
    /** The one role that has to show its password. */
    static final String GUARDED = "guarded";

    private static final int TURNS = 4;
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final EmbeddedPostgres postgres;
    private final Connection clock;
    private final HikariDataSource connections;
    private final AtomicInteger turns = new AtomicInteger();

    private TestServer(String name) {
        try {
            // In memory: most tests ask what a server answers, and none of these pulls a plug.
            Path folder = MemoryFolder.create();
            Path data = folder.resolve(name);
            EmbeddedPostgres started = builder(data).start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                remove(started, data);
                folder.toFile().delete();
            }));
            postgres = started;
            clock = postgres.getPostgresDatabase().getConnection();
            Path rules = data.resolve("pg_hba.conf");
            Files.writeString(rules, "host all " + GUARDED + " 127.0.0.1/32 scram-sha-256\n" + Files.readString(rules));
            connections = new HikariDataSource();
            connections.setDataSource(postgres.getPostgresDatabase());
            connections.setMaximumPoolSize(24);
            // The clock of a test need not survive a crash.
            execute("SET synchronous_commit = off; SELECT pg_reload_conf()");
        } catch (IOException | SQLException e) {
            throw new IllegalStateException("no PostgreSQL for the tests", e);
        }
    }

    /** The server all tests of this JVM share, each with schemas of its own. */
    static TestServer shared() {
        return SHARED;
    }

    /** A server that is as durable as one in earnest. */
    static EmbeddedPostgres.Builder builder(Path data) throws IOException {
        return PostgresqlStock.server(folder().resolve("binaries"), data).setServerConfig("max_connections", "200");
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

    /** Patient: a busy machine may take longer over a login than a person would wait. */
    String url(String schema) {
        return "postgresql://postgres@127.0.0.1:" + port() + "/postgres?timeout=60s&pool=4&schema=" + schema;
    }

    Ledger open(String url, LedgerContext context) {
        return new PostgresqlLedgerProvider().open(LedgerUrl.parse(url), context);
    }

    /**
     * A store that is empty, whose server's clock follows the kit's. Few schemas and warm connections serve all cases
     * in turn: a case is over when the third one after it begins.
     */
    LedgerFixture fixture(PostgresqlSettings settings) {
        PostgresqlSettings here = emptied(settings);
        return LedgerFixture.serverTimed(
                context -> PostgresqlLedger.open(connections, here, context), now -> set(here.schema(), now));
    }

    /** A store in an empty schema, without the rules. */
    EntryStore store(PostgresqlSettings here) {
        PostgresqlErrors errors = new PostgresqlErrors("here", here.schema());
        return new PostgresqlStore(new Server("here", here, errors, Database.of(connections, errors)));
    }

    /** These settings with the next schema, which is empty. */
    PostgresqlSettings emptied(PostgresqlSettings settings) {
        int turn = turns.getAndIncrement();
        String schema = "turn_" + turn % TURNS;
        PostgresqlSettings here = settings.withSchema(schema);
        if (turn < TURNS) {
            PostgresqlLedger.open(connections, here).close();
            execute("CREATE TABLE " + schema + ".clock AS SELECT clock_timestamp() AS now");
            clock(schema, "SELECT now FROM " + schema + ".clock");
        }
        execute("DELETE FROM " + schema + ".entries; DELETE FROM " + schema + ".waiting; DELETE FROM " + schema
                + ".hours");
        return here;
    }

    /** Sets both clocks of a schema that later. */
    void later(String schema, Duration time) {
        clock(schema, "SELECT clock_timestamp() + interval '" + time.toMillis() + " milliseconds'");
    }

    private void clock(String schema, String time) {
        for (String clock : List.of("read_clock() RETURNS timestamptz STABLE", "write_clock() RETURNS timestamptz")) {
            execute("CREATE OR REPLACE FUNCTION " + schema + "." + clock + " LANGUAGE sql AS $$ " + time + " $$");
        }
    }

    void set(String schema, Instant now) {
        execute("UPDATE " + schema + ".clock SET now = '" + now + "'");
    }

    /** Runs a statement as the administrator. */
    synchronized void execute(String sql) {
        try (Statement statement = clock.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** A number that the administrator asks for. */
    synchronized long number(String sql) {
        try (Statement statement = clock.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** The first column of what the administrator asks for, as text. */
    synchronized List<String> texts(String sql) {
        try (Statement statement = clock.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /** Stops a server and removes what it has written. */
    static void remove(EmbeddedPostgres server, Path data) {
        try {
            server.close();
            // Somebody else may be stopping it: what it has open must not be taken from under it.
            Until.isTrue("the server has stopped", () -> !Files.exists(data.resolve("postmaster.pid")));
            if (!Files.exists(data)) {
                return;
            }
            try (Stream<Path> files = Files.walk(data)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
