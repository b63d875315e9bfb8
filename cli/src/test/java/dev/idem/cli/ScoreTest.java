package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem score} asks before it runs anything, and may end a build. */
class ScoreTest {
    @TempDir
    Path folder;

    private InProcess shell;
    private String[] line;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        String naive = "echo \"$*\" >> '" + folder.resolve("sent") + "'";
        line = new String[] {"score", "--", "sh", "-c", naive, "naive", "--to", "ann"};
    }

    @Test
    void withoutConsentNothingRuns() {
        shell.stdin = "no\n".getBytes(StandardCharsets.UTF_8);
        Ran refused = shell.idem(line);
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("for real", "--idempotency-key", "--dry-run");
        assertThat(folder.resolve("sent")).doesNotExist();
        shell.stdin = "yes\n".getBytes(StandardCharsets.UTF_8);
        assertThat(shell.idem(line).exit()).isZero();
        assertThat(folder.resolve("sent")).exists();
    }

    @Test
    void aScoreThatIsTooLowMayEndTheBuild() {
        Ran low = shell.idem("score", "--yes", "--json", "--at-least", "3", "--", "echo", "7");
        assertThat(low.exit()).isEqualTo(1);
        assertThat(low.error()).containsEntry("code", "SCORE_TOO_LOW");
        assertThat(low.data()).containsEntry("score", 0L);
    }

    @Test
    void badOptionsRunNothing() {
        assertThat(shell.idem("score", "--yes", "--watch", "/no/such/folder", "--", "true", "1")
                        .exit())
                .isEqualTo(2);
        assertThat(shell.idem("score", "--yes", "--swap", "5=6", "--", "true", "1")
                        .exit())
                .isEqualTo(2);
        assertThat(shell.idem("score", "--yes", "--timeout", "soon", "--", "true", "1")
                        .exit())
                .isEqualTo(2);
        assertThat(shell.idem("score", "--yes", "--", "/no/such/tool", "1").exit())
                .isEqualTo(126);
    }
}
