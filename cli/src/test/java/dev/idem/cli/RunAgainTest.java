package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tries and probes of {@code idem run}. */
class RunAgainTest extends RunCase {
    private String[] failing(int times, String... before) {
        String script =
                "echo x >>" + effects + "; [ $(wc -l <" + effects + ") -gt " + times + " ] || exit 7; echo done";
        return line(before, "sh", "-c", script);
    }

    @Test
    void whatFailedIsTriedAgainUnderTheSameKey() throws IOException {
        Ran ran = shell.idem(
                failing(2, "--key", "k", "--failed-exits", "7", "--retry", "3", "--backoff", "1ms", "--json"));
        assertThat(ran.exit()).as(ran.out()).isZero();
        assertThat(ran.data()).containsEntry("stdout", "done\n").containsEntry("attempt", 1L);
        assertThat(effects()).isEqualTo(3);
    }

    @Test
    void whatMayHaveHappenedIsNotTriedAgain() throws IOException {
        Ran ran = shell.idem(failing(2, "--key", "k", "--retry", "3", "--backoff", "1ms"));
        assertThat(ran.exit()).isEqualTo(7);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void whatIsIdempotentIs() throws IOException {
        Ran ran =
                shell.idem(failing(2, "--key", "k", "--side-effect", "idempotent", "--retry", "3", "--backoff", "1ms"));
        assertThat(ran.exit()).isZero();
        assertThat(effects()).isEqualTo(3);
    }

    @Test
    void whatDestroysIsNeverTriedAgain() {
        Ran ran = shell.idem(failing(2, "--key", "k", "--side-effect", "destructive", "--retry", "3"));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("never tried again");
    }

    @Test
    void everyTryReadsTheSameStdin() {
        shell.stdin = "input".getBytes(StandardCharsets.UTF_8);
        String script = "cat; echo x >>" + effects + "; [ $(wc -l <" + effects + ") -gt 1 ] || exit 7";
        Ran ran = shell.idem(line(
                new String[] {"--key", "k", "--failed-exits", "7", "--retry", "1", "--backoff", "1ms", "--json"},
                "sh",
                "-c",
                script));
        assertThat(ran.data()).containsEntry("stdout", "input");
    }

    private Ran probed(String probe) {
        String[] doubtful = line(
                new String[] {"--key", "k", "--timeout", "1s", "--probe", probe},
                "sh",
                "-c",
                "echo x >>" + effects + "; exit 3");
        shell.idem(doubtful);
        // When the first try can no longer act.
        shell.clocks.advance(Duration.ofMinutes(2));
        return shell.idem(doubtful);
    }

    @Test
    void aProbeThatMayNotBeAskedYetSaysWhenItWillBe() {
        String[] doubtful = line(new String[] {"--key", "k", "--timeout", "1s", "--probe", "exit 0"}, "false");
        shell.idem(doubtful);
        assertThat(shell.idem(doubtful).err())
                .containsPattern("the probe is asked from 20\\S+T\\d\\d:\\d\\d:\\d\\dZ on, .* call again in \\d+ ");
        String[] unlimited = line(new String[] {"--key", "u", "--timeout", "0", "--probe", "exit 0"}, "false");
        shell.idem(unlimited);
        assertThat(shell.idem(unlimited).err()).contains("the probe is never asked");
    }

    @Test
    void aProbeThatFoundItGivesTheResult() throws IOException {
        Ran ran = probed("echo found $IDEM_KEY");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(shell.idem(line(new String[] {"--key", "k"}, "sh", "-c", "echo x >>" + effects + "; exit 3"))
                        .out())
                .isEqualTo("found k\n");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aProbeThatFoundNothingLetsItRunAgain() throws IOException {
        assertThat(probed("exit 1").exit()).isEqualTo(3);
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void aProbeThatDoesNotKnowLeavesItInDoubt() throws IOException {
        assertThat(probed("exit 2").exit()).isEqualTo(81);
        assertThat(effects()).isEqualTo(1);
    }
}
