package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.jdbc4.JDBC4Connection;

/** A process that has just begun runs slowly: it holds nobody up with a lock that it has while it does. */
class FirstStepsTest {
    private static final String BEGIN = SqliteConnection.STATEMENTS.get("begin");
    private static final String GRANT = SqliteConnection.STATEMENTS.get("insert");

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final SettableClocks clocks = new SettableClocks();
    private final List<String> prepared = new ArrayList<>();
    private Consumer<String> meanwhile = sql -> {};
    private TestLedger other;

    @BeforeEach
    void openOther() {
        other = open(SqliteConnection.Driver.real());
    }

    @AfterEach
    void close() {
        other.close();
    }

    private TestLedger open(SqliteConnection.Driver driver) {
        return TestLedger.open(
                driver,
                SqliteOptions.at(folder.resolve("idem.db")),
                new LedgerContext(clocks, new SettableProcesses()));
    }

    private TestLedger begun() {
        return open(Watched::new);
    }

    @Test
    void a_first_call_is_two_statements_that_commit_by_themselves() {
        Entry before = Fixtures.complete(other, "before");
        try (TestLedger begun = begun()) {
            Entry own = Fixtures.complete(begun, "own");

            assertThat(own.fence()).isGreaterThan(before.fence());
            assertThat(begun.commitCount()).isEqualTo(2);
            assertThat(prepared).contains(GRANT).doesNotContain(BEGIN);
            assertThat(other.find(own.address())).contains(own);
        }
    }

    @Test
    void in_an_empty_ledger_what_it_has_taken_is_found_by_those_who_look_for_it() {
        try (TestLedger begun = begun()) {
            Ticket own = Fixtures.take(begun, "own");
            assertThat(other.browse(Query.all().withStates(State.IN_PROGRESS)).entries())
                    .extracting(Entry::address)
                    .containsExactly(own.address());
        }
    }

    @Test
    void what_it_has_ended_is_purged_in_time() {
        Fixtures.complete(other, "before");
        try (TestLedger begun = begun()) {
            Fixtures.complete(begun, "own");
        }
        clocks.advance(Duration.ofDays(400));
        assertThat(other.purge(10)).isEqualTo(2);
    }

    @Test
    void a_fence_that_another_gives_after_the_read_is_not_given_again() {
        Fixtures.complete(other, "before");
        List<Ticket> theirs = new ArrayList<>();
        meanwhile = sql -> {
            if (sql.equals(GRANT)) {
                theirs.add(Fixtures.take(other, "theirs"));
            }
        };
        try (TestLedger begun = begun()) {
            Ticket own = Fixtures.take(begun, "own");

            assertThat(theirs).hasSize(1);
            assertThat(own.fence()).isGreaterThan(theirs.get(0).fence());
            assertThat(prepared).as("one statement").doesNotContain(BEGIN);
        }
    }

    @Test
    void a_key_that_another_takes_after_the_read_is_not_taken_again() {
        Fixtures.complete(other, "before");
        meanwhile = sql -> {
            if (sql.equals(GRANT)) {
                Fixtures.complete(other, "k");
            }
        };
        try (TestLedger begun = begun()) {
            assertThat(begun.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
        }
    }

    @Test
    void a_fence_that_another_gives_and_forgets_after_the_read_is_not_given_again() {
        Fixtures.complete(other, "before");
        List<Entry> theirs = new ArrayList<>();
        meanwhile = sql -> {
            if (sql.equals(GRANT)) {
                Entry entry = Fixtures.complete(other, "k");
                assertThat(other.forget(entry)).isTrue();
                theirs.add(entry);
            }
        };
        try (TestLedger begun = begun()) {
            assertThat(Fixtures.take(begun, "k").fence())
                    .isGreaterThan(theirs.get(0).fence());
        }
    }

    /** Tells which statements are prepared, before they are. */
    private final class Watched extends JDBC4Connection {
        Watched(Path file, Properties settings) throws SQLException {
            super("jdbc:sqlite:" + file, file.toString(), settings);
        }

        @Override
        public PreparedStatement prepareStatement(String sql) throws SQLException {
            prepared.add(sql);
            meanwhile.accept(sql);
            return super.prepareStatement(sql);
        }
    }
}
