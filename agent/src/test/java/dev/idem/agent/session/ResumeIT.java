package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.testkit.ChildProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session whose process is gone goes on in another, where it was. */
final class ResumeIT {
    @TempDir
    private Path folder;

    @Test
    void completedCallsReplayInAnotherProcessAndTheRestRuns() throws Exception {
        assertThat(agent(2)).containsExactly("charge ran charge done", "exit 137");
        assertThat(agent(3)).containsExactly("charge replayed charge done", "mail ran mail done", "exit 137");
        assertThat(agent(0))
                .containsExactly(
                        "charge replayed charge done",
                        "mail replayed mail done",
                        "order ran order done",
                        "3 calls, 1 ran, 2 replayed, 0 duplicates prevented",
                        "exit 0");

        assertThat(Files.readString(folder.resolve("effects"))).isEqualTo("charge\nmail\norder\n");
    }

    /** The output of a process, and its exit. */
    private List<String> agent(int dieBefore) throws Exception {
        try (ChildProcess agent = ChildProcess.start(
                KilledAgent.class,
                "sqlite:" + folder.resolve("idem.db"),
                folder.resolve("effects").toString(),
                Integer.toString(dieBefore))) {
            return agent.rest();
        }
    }
}
