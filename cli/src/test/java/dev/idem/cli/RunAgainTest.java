package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
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

    /** A script that is gone after its first run: the second try does not start. */
    private String[] once(int exit, String... before) throws IOException {
        Path script = folder.resolve("script");
        Files.writeString(script, "#!/bin/sh\necho x >>" + effects + "; rm " + script + "; exit " + exit + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        String[] options = {"--key", "k", "--retry", "1", "--backoff", "1ms", "--json"};
        return line(Stream.concat(Stream.of(options), Stream.of(before)).toArray(String[]::new), script.toString());
    }

    /** The try that did not start was taken for the whole attempt: "Nothing was run", and a later call ran it again. */
    @Test
    void aTryThatDoesNotStartLaundersNoDoubt() throws IOException {
        Ran ran = shell.idem(once(7, "--side-effect", "idempotent"));
        assertThat(ran.exit()).as(ran.out()).isEqualTo(7);
        assertThat(ran.error()).containsEntry("code", "IN_DOUBT").containsEntry("retryable", false);
        assertThat(ran.err()).doesNotContain("Nothing was run");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aTryThatDoesNotStartAfterOneThatFailedIsNotAllThatWasRun() throws IOException {
        Ran ran = shell.idem(once(7, "--failed-exits", "7"));
        assertThat(ran.exit()).as(ran.out()).isEqualTo(7);
        assertThat(ran.error()).containsEntry("code", "COMMAND_FAILED");
        assertThat(ran.err()).doesNotContain("Nothing was run");
        assertThat(state()).isEqualTo(State.FAILED);
    }

    @Test
    void aDefiniteFailureAfterADoubtfulTryLaundersNoDoubt() {
        String script = "echo x >>" + effects + "; [ $(wc -l <" + effects + ") -gt 1 ] || exit 9; exit 7";
        String[] options = {
            "--key", "k", "--side-effect", "idempotent", "--failed-exits", "7", "--retry", "1", "--backoff", "1ms"
        };
        assertThat(shell.idem(line(options, "sh", "-c", script)).exit()).isEqualTo(9);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void aDefiniteFailureAfterAnEarlierDoubtSaysNothingAboutThat() {
        String script = "echo x >>" + effects + "; [ $(wc -l <" + effects + ") -gt 1 ] || exit 9; exit 7";
        String[] options = {"--key", "k", "--failed-exits", "7", "--on-doubt", "rerun"};
        assertThat(shell.idem(line(options, "sh", "-c", script)).err()).contains("if exit 9 of this command always");
        Ran again = shell.idem(line(options, "sh", "-c", script));
        assertThat(again.exit()).isEqualTo(7);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        assertThat(again.err())
                .contains("an earlier attempt is in doubt, and this exit says nothing about it")
                .doesNotContain("of this command always means")
                .doesNotContain("does not prove");
    }

    @Test
    void theTimeLimitCoversAllTries() {
        String[] options = {"--key", "k", "--timeout", "10m", "--retry", "2", "--backoff", "40s", "--failed-exits", "1"
        };
        shell.idem(line(options, "true"));
        Entry entry = shell.ledger.find(new Address("default", "run", "k")).orElseThrow();
        Duration limit =
                Duration.between(entry.times().claimed(), entry.tenure().limit().wall());
        // Three tries of ten minutes, two pauses of 40 s and 60 s.
        assertThat(limit).isGreaterThanOrEqualTo(Duration.ofSeconds(3 * 600 + 40 + 60));
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
                .containsPattern("the probe is asked from 20\\S+ \\d\\d:\\d\\d:\\d\\d on, .* call again in \\d+ ");
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

    /** The exit was seen, and still the probe waited for the whole time limit. */
    @Test
    void aProbeWaitedForTheTimeLimitOfACommandThatHadEnded() {
        String[] graced = {"--timeout", "1h", "--wait", "0", "--probe", "exit 1", "--probe-grace", "10s"};
        assertThat(act("exit 3", graced).exit()).isEqualTo(3);
        Ran early = act("exit 3", graced);
        assertThat(early.exit()).isEqualTo(81);
        assertThat(early.err()).containsPattern("the probe is asked from .* call again in \\d+ s");
        shell.clocks.advance(Duration.ofSeconds(11));
        assertThat(act("exit 3", graced).exit())
                .as("the probe says no, and it runs")
                .isEqualTo(3);
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void withoutAGraceAProbeWaitsForTheTimeLimit() {
        String[] plain = {"--timeout", "1h", "--wait", "0", "--probe", "exit 1"};
        assertThat(act("exit 3", plain).exit()).isEqualTo(3);
        shell.clocks.advance(Duration.ofSeconds(11));
        assertThat(act("exit 3", plain).exit()).isEqualTo(81);
        assertThat(effects()).isEqualTo(1);
        assertThat(act("exit 3", "--probe-grace", "10s").err()).contains("--probe-grace goes with --probe");
    }
}
