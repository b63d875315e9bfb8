package dev.idem.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.entry.State;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Claim;
import dev.idem.testkit.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One process at a time has the file; one that is killed leaves what it was told, and the lock. */
@Timeout(120)
class ProcessesIT {
    @TempDir
    Path folder;

    @Test
    void a_second_process_is_told_who_has_the_file() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "hold", file.toString())) {
            String pid = child.line().replace("open ", "");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> Fixtures.open(file))
                        .isInstanceOf(LedgerUnavailableException.class)
                        .hasMessageContaining("is in use by pid " + pid + " on host ")
                        .hasMessageContaining("one process at a time");
            }
            child.say("close");
            assertThat(child.rest()).containsExactly("closed", "exit 0");
        }
        try (JsonlLedger ledger = Fixtures.open(file)) {
            assertThat(ledger.claim(Fixtures.request("held"))).isInstanceOf(Claim.Replay.class);
        }
    }

    @Test
    void the_lock_holds_through_a_compaction() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "endless", file.toString())) {
            for (int i = 0; i < 200; i++) {
                child.line();
            }
            assertThatThrownBy(() -> Fixtures.open(file)).hasMessageContaining("is in use by pid ");
        }
    }

    @Test
    void what_was_answered_survives_a_kill_in_the_middle_of_writing() throws Exception {
        Path file = folder.resolve("idem.jsonl");
        String last = "";
        try (ChildProcess child = ChildProcess.start(ChildMain.class, "endless", file.toString())) {
            for (int i = 0; i < 300; i++) {
                last = child.line();
            }
            child.kill();
        }
        assertThat(last).isEqualTo("k299");
        try (JsonlLedger ledger = Fixtures.open(file)) {
            for (int i = 0; i < 300; i++) {
                assertThat(ledger.find(Fixtures.address("k" + i)).orElseThrow().state())
                        .isEqualTo(State.COMPLETE);
            }
        }
    }

    @Test
    void a_file_that_may_not_grow_loses_nothing() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "there is no bash to limit the size of files with");
        Path file = folder.resolve("idem.jsonl");
        List<String> said;
        try (ChildProcess child = ChildProcess.startLimited(64, ChildMain.class, "full", file.toString())) {
            said = child.rest();
        }
        assertThat(said).hasSize(3);
        assertThat(said.get(0)).contains("can't grow").contains("nothing was written");
        int done = Integer.parseInt(said.get(1));
        assertThat(done).isGreaterThan(10);
        assertThat(said.get(2)).isEqualTo("exit 0");
        try (JsonlLedger ledger = Fixtures.open(file)) {
            for (int i = 0; i < done; i++) {
                assertThat(Fixtures.result(
                                ledger.find(Fixtures.address("k" + i)).orElseThrow()))
                        .isEqualTo("\"k" + i + "\"");
            }
            assertThat(Fixtures.complete(ledger, "after").state()).isEqualTo(State.COMPLETE);
        }
    }
}
