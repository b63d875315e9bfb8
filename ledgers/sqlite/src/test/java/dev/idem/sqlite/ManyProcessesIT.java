package dev.idem.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.State;
import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many processes on one file: nothing runs twice, and nobody is turned away. */
@Timeout(180)
class ManyProcessesIT {
    private static final int KEYS = Thorough.times(600, 10_000);
    private static final int PROCESSES = Thorough.times(4, 32);

    @TempDir
    Path folder;

    @Test
    void eachKeyIsGrantedToOneOfTwoProcesses() throws Exception {
        Path file = folder.resolve("idem.db");
        List<String> granted = new ArrayList<>();
        for (List<String> said : runTogether(
                2, i -> ChildProcess.start(ChildMain.class, "keys", file.toString(), Integer.toString(KEYS), "8"))) {
            assertThat(said.remove(said.size() - 1)).isEqualTo("exit 0");
            granted.addAll(said);
        }
        assertThat(granted).as("each key is granted once").hasSize(KEYS).doesNotHaveDuplicates();
        try (TestLedger ledger = Fixtures.open(file)) {
            assertThat(ledger.stats().count(State.COMPLETE)).isEqualTo(KEYS);
            assertThat(ledger.stats().entries()).hasSize(1);
        }
    }

    @Test
    void manyProcessesOpenANewLedgerAtOnce() throws Exception {
        Path file = folder.resolve("idem.db");
        int granted = 0;
        for (List<String> said :
                runTogether(PROCESSES, i -> ChildProcess.start(ChildMain.class, "open", file.toString(), "own" + i))) {
            assertThat(said.remove(said.size() - 1)).isEqualTo("exit 0");
            granted += said.size();
        }
        assertThat(granted).as("the shared key is granted once").isEqualTo(1);
        try (TestLedger ledger = Fixtures.open(file)) {
            assertThat(ledger.stats().count(State.COMPLETE)).isEqualTo(PROCESSES + 1);
        }
    }

    /** How to start the child with a number. */
    interface Start {
        ChildProcess child(int number) throws IOException;
    }

    /** Starts children, lets them go when all are ready, and gives what each said. */
    static List<List<String>> runTogether(int count, Start start) throws Exception {
        List<ChildProcess> children = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                children.add(start.child(i));
            }
            for (ChildProcess child : children) {
                assertThat(child.line()).isEqualTo("ready");
            }
            for (ChildProcess child : children) {
                child.say("go");
            }
            List<List<String>> said = new ArrayList<>();
            for (ChildProcess child : children) {
                said.add(child.rest());
            }
            return said;
        } finally {
            for (ChildProcess child : children) {
                child.close();
            }
        }
    }
}
