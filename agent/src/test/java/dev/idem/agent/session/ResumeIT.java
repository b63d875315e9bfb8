package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session whose process is gone goes on in another, where it was. */
final class ResumeIT {
    @TempDir
    private Path folder;

    @Test
    void completed_calls_replay_in_another_process_and_the_rest_runs() throws Exception {
        assertThat(agent(2)).isEqualTo("charge ran charge done\n");
        assertThat(agent(3)).isEqualTo("charge replayed charge done\nmail ran mail done\n");
        assertThat(agent(0)).isEqualTo("""
                        charge replayed charge done
                        mail replayed mail done
                        order ran order done
                        3 calls, 1 ran, 2 replayed, 0 duplicates prevented
                        """);

        assertThat(Files.readString(folder.resolve("effects"))).isEqualTo("charge\nmail\norder\n");
    }

    private String agent(int dieBefore) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledAgent.class.getName(),
                        "sqlite:" + folder.resolve("idem.db"),
                        folder.resolve("effects").toString(),
                        Integer.toString(dieBefore))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isEqualTo(dieBefore == 0 ? 0 : 137);
            return output;
        } finally {
            process.destroyForcibly();
        }
    }
}
