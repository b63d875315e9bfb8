package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.entry.Entry;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Claim;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Query;
import dev.idem.sql.EntryRow;
import dev.idem.sql.TrailState;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.SettableProcesses;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.jdbc4.JDBC4Connection;

/** A process that has just begun runs slowly: it holds nobody up with a lock that it has while it does. */
class FirstStepsTest {
    private static final String BEGIN = SqliteConnection.STATEMENTS.get("begin");
    private static final String GRANT = SqliteConnection.STATEMENTS.get("first-grant");
    private static final String LAST_LOOK = SqliteConnection.STATEMENTS.get("newest-span");

    @TempDir(factory = MemoryFolder.class)
    Path folder;

    private final SettableClocks clocks = new SettableClocks();
    private final List<String> prepared = new ArrayList<>();
    private Consumer<String> meanwhile = sql -> {};
    private SqliteLedger other;

    @BeforeEach
    void openOther() {
        other = open(SqliteConnection.Driver.real());
    }

    @AfterEach
    void close() {
        other.close();
    }

    private SqliteLedger open(SqliteConnection.Driver driver) {
        return SqliteLedger.open(
                driver,
                SqliteOptions.at(folder.resolve("idem.db")),
                new LedgerContext(clocks, new SettableProcesses()));
    }

    private SqliteLedger begun() {
        return open(Watched::new);
    }

    @Test
    void a_first_call_is_two_statements_that_commit_by_themselves() {
        Entry before = Fixtures.complete(other, "before");
        try (SqliteLedger begun = begun()) {
            Entry own = Fixtures.complete(begun, "own");

            assertThat(own.fence()).isGreaterThan(before.fence());
            assertThat(begun.commitCount()).isEqualTo(2);
            assertThat(prepared).contains(GRANT).doesNotContain(BEGIN);
            assertThat(other.find(own.address())).contains(own);
        }
    }

    @Test
    void in_an_empty_ledger_what_it_has_taken_is_found_by_those_who_look_for_it() {
        try (SqliteLedger begun = begun()) {
            Ticket own = Fixtures.take(begun, "own");
            assertThat(other.browse(Query.all().withStates(State.IN_PROGRESS)).entries())
                    .extracting(Entry::address)
                    .containsExactly(own.address());
        }
    }

    @Test
    void what_it_has_ended_is_purged_in_time() {
        Fixtures.complete(other, "before");
        try (SqliteLedger begun = begun()) {
            Fixtures.complete(begun, "own");
        }
        clocks.advance(Duration.ofDays(400));
        assertThat(other.purge(10)).isEqualTo(2);
    }

    @Test
    void a_fence_that_another_gives_after_the_look_is_not_given_again() {
        Fixtures.complete(other, "before");
        List<Ticket> theirs = new ArrayList<>();
        meanwhile = sql -> {
            if (sql.equals(LAST_LOOK)) {
                theirs.add(Fixtures.take(other, "theirs"));
            }
        };
        try (SqliteLedger begun = begun()) {
            Ticket own = Fixtures.take(begun, "own");

            assertThat(theirs).hasSize(1);
            assertThat(own.fence()).isGreaterThan(theirs.get(0).fence());
            assertThat(prepared).as("it looked once more").doesNotContain(BEGIN);
        }
    }

    @Test
    void a_key_that_another_takes_after_the_look_is_not_taken_again() {
        Fixtures.complete(other, "before");
        meanwhile = sql -> {
            if (sql.equals(LAST_LOOK)) {
                Fixtures.complete(other, "k");
            }
        };
        try (SqliteLedger begun = begun()) {
            assertThat(begun.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
        }
    }

    @Test
    void a_fence_that_another_gives_and_forgets_after_the_look_is_not_given_again() {
        Fixtures.complete(other, "before");
        List<Entry> theirs = new ArrayList<>();
        meanwhile = sql -> {
            if (sql.equals(LAST_LOOK)) {
                Entry entry = Fixtures.complete(other, "k");
                assertThat(other.forget(entry)).isTrue();
                theirs.add(entry);
            }
        };
        try (SqliteLedger begun = begun()) {
            assertThat(Fixtures.take(begun, "k").fence())
                    .isGreaterThan(theirs.get(0).fence());
        }
    }

    /** Else an entry of before would be taken for one of that version, and what others have made of it overwritten. */
    @Test
    void a_look_leaves_nothing_of_before() {
        Entry entry = ((Claim.Granted) other.claim(Fixtures.request("k"))).entry();
        Remembered remembered = new Remembered();
        remembered.wrote(new EntryRow(entry, new TrailState(1, 0, null, null)), new byte[0]);
        remembered.looked(1, 1, 0);

        assertThat(remembered.running(entry.address())).isNull();
    }

    @Test
    void a_look_that_fails_is_no_doubt_about_the_claim() {
        Fixtures.complete(other, "before");
        AtomicBoolean failed = new AtomicBoolean();
        meanwhile = sql -> {
            if (sql.equals(LAST_LOOK) && failed.compareAndSet(false, true)) {
                throw new IllegalStateException("a look that fails");
            }
        };
        try (SqliteLedger begun = begun()) {
            assertThat(begun.claim(Fixtures.request("k"))).isInstanceOf(Claim.Granted.class);
            assertThat(failed).isTrue();
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
            try {
                meanwhile.accept(sql);
            } catch (IllegalStateException e) {
                throw new SQLException(e);
            }
            return super.prepareStatement(sql);
        }
    }
}
