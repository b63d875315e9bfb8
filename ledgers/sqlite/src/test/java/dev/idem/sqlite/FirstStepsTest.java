package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.testkit.MemoryFolder;
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
    void aFirstCallIsTwoStatementsThatCommitByThemselves() {
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
    void inAnEmptyLedgerWhatItHasTakenIsFoundByThoseWhoLookForIt() {
        try (TestLedger begun = begun()) {
            Ticket own = Fixtures.take(begun, "own");
            assertThat(other.browse(Query.all().withStates(State.IN_PROGRESS)).entries())
                    .extracting(Entry::address)
                    .containsExactly(own.address());
        }
    }

    @Test
    void whatItHasEndedIsPurgedInTime() {
        Fixtures.complete(other, "before");
        try (TestLedger begun = begun()) {
            Fixtures.complete(begun, "own");
        }
        clocks.advance(Duration.ofDays(400));
        assertThat(other.purge(10)).isEqualTo(2);
    }

    @Test
    void aFenceThatAnotherGivesAfterTheReadIsNotGivenAgain() {
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
    void aKeyThatAnotherTakesAfterTheReadIsNotTakenAgain() {
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
    void aFenceThatAnotherGivesAndForgetsAfterTheReadIsNotGivenAgain() {
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
