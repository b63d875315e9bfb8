package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Derived keys, tries and probes of {@code idem run}. */
class RunMoreTest {
    @TempDir
    Path folder;

    private InProcess shell;
    private Path effects;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        effects = folder.resolve("effects");
    }

    private long effects() throws IOException {
        return Files.exists(effects) ? Files.readAllLines(effects).size() : 0;
    }

    private String[] echo(String... before) {
        return line(before, "sh", "-c", "echo x >>" + effects + "; echo out");
    }

    private static String[] line(String[] before, String... command) {
        String[] line = new String[before.length + 2 + command.length];
        line[0] = "run";
        System.arraycopy(before, 0, line, 1, before.length);
        line[before.length + 1] = "--";
        System.arraycopy(command, 0, line, before.length + 2, command.length);
        return line;
    }

    @Test
    void theSameWordsAreTheSameKey() throws IOException {
        shell.idem(echo("--key-from", "argv"));
        Ran again = shell.idem(echo("--key-from", "argv"));
        assertThat(again.out()).isEqualTo("out\n");
        assertThat(again.err()).contains("replay of 'idem_");
        assertThat(effects()).isEqualTo(1);
        shell.idem(echo("--key-from", "argv", "--scope", "other"));
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void keysFromStdinVariablesAndFiles() throws IOException {
        Files.writeString(folder.resolve("order.json"), "{}");
        shell.env.put("ORDER", "7");
        String from = "stdin,env:ORDER,file:order.json";
        shell.stdin = "one".getBytes(StandardCharsets.UTF_8);
        Ran first = shell.idem(line(new String[] {"--key-from", from}, "sh", "-c", "cat; echo x >>" + effects));
        assertThat(first.out()).isEqualTo("one");
        shell.idem(line(new String[] {"--key-from", from}, "sh", "-c", "cat; echo x >>" + effects));
        assertThat(effects()).isEqualTo(1);
        shell.stdin = "two".getBytes(StandardCharsets.UTF_8);
        shell.idem(echo("--key-from", from));
        shell.env.put("ORDER", "8");
        shell.idem(echo("--key-from", from));
        Files.writeString(folder.resolve("order.json"), "[]");
        shell.idem(echo("--key-from", from));
        assertThat(effects()).isEqualTo(4);
    }

    @Test
    void whatAKeyCanNotBeMadeOfIsRefused() throws IOException {
        assertThat(shell.idem(echo("--key-from", "env:ABSENT")).err()).contains("the variable is not set");
        assertThat(shell.idem(echo("--key-from", "file:absent")).err()).contains("can't be read");
        assertThat(shell.idem(echo("--key-from", "odd")).err()).contains("is not one of argv, stdin");
        assertThat(shell.idem(echo("--key-from", "argv", "--key", "k")).err()).contains("not both");
        assertThat(shell.idem(echo()).err()).contains("needs a key", "--key K", "--key-from argv");
        assertThat(effects()).isZero();
    }

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
