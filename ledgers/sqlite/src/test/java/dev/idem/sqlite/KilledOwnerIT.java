package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Claim;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An owner that is killed leaves doubt where nobody can know, and what it was told is kept. */
@Timeout(120)
class KilledOwnerIT {
    @TempDir
    Path folder;

    static Stream<String> pointsBeforeItIsSettled() {
        return Thorough.first(
                2, "after the effect", "during settle", "after claim", "during the effect", "before settle");
    }

    static Stream<String> pointsAroundATransaction() {
        return Thorough.first(2, "after the row", "after the commit", "before the row", "during settle");
    }

    @ParameterizedTest
    @MethodSource("pointsBeforeItIsSettled")
    void killedBeforeItIsSettledItIsInDoubtAtOnce(String point) throws Exception {
        Path file = folder.resolve("idem.db");
        List<String> effects = killedAt(point, file);
        try (TestLedger ledger = Fixtures.open(file)) {
            Entry entry = ledger.find(Fixtures.address("k")).orElseThrow();
            assertThat(entry.state()).isEqualTo(State.IN_DOUBT);
            assertThat(entry.doubt().reason()).contains("ended without settling it");
            assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.InDoubt.class);
            assertThat(effects).as("never twice").doesNotHaveDuplicates();
            // The lock it may have held is free.
            assertThat(Fixtures.complete(ledger, "other").state()).isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void killedAfterItIsSettledItIsComplete() throws Exception {
        Path file = folder.resolve("idem.db");
        assertThat(killedAt("after settle", file)).containsExactly("began", "done");
        try (TestLedger ledger = Fixtures.open(file)) {
            assertThat(ledger.claim(Fixtures.request("k"))).isInstanceOf(Claim.Replay.class);
        }
    }

    @ParameterizedTest
    @MethodSource("pointsAroundATransaction")
    void killedAroundATransactionThereIsOneOrderAndItsEntryOrNeither(String point) throws Exception {
        Path file = folder.resolve("idem.db");
        Fixtures.open(file).close();
        Fixtures.meddle(file, "CREATE TABLE orders (id INTEGER)");
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "order", file.toString(), point)) {
            assertThat(child.line()).isEqualTo("at " + point);
            child.kill();
        }
        boolean committed = point.equals("after the commit");
        assertThat(Fixtures.number(file, "SELECT count(*) FROM orders")).isEqualTo(committed ? 1 : 0);
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "order", file.toString(), "nowhere")) {
            assertThat(child.rest()).containsExactly("exit 0");
        }
        assertThat(Fixtures.number(file, "SELECT count(*) FROM orders")).isEqualTo(1);
        assertThat(Fixtures.number(file, "SELECT count(*) FROM entries WHERE state = 'complete'"))
                .isEqualTo(1);
    }

    @Test
    void whatWasAnsweredSurvivesAKillInTheMiddleOfWriting() throws Exception {
        Path file = folder.resolve("idem.db");
        String last = "";
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "endless", file.toString())) {
            for (int i = 0; i < 300; i++) {
                last = child.line();
            }
            child.kill();
        }
        assertThat(last).isEqualTo("k299");
        try (TestLedger ledger = Fixtures.open(file)) {
            for (int i = 0; i < 300; i++) {
                assertThat(ledger.find(Fixtures.address("k" + i)).orElseThrow().state())
                        .isEqualTo(State.COMPLETE);
            }
        }
        try (Connection connection = Fixtures.stranger(file);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("PRAGMA integrity_check")) {
            assertThat(row.getString(1)).isEqualTo("ok");
        }
    }

    private List<String> killedAt(String point, Path file) throws IOException {
        Path effects = folder.resolve("effects");
        try (ChildProcess child =
                ChildProcess.start(ChildMain.class, "crash", file.toString(), point, effects.toString())) {
            assertThat(child.line()).isEqualTo("at " + point);
            child.kill();
        }
        return Files.exists(effects) ? Files.readAllLines(effects) : List.of();
    }
}
