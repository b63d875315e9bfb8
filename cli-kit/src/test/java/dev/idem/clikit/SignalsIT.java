package dev.idem.clikit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.testkit.HeardSignals;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalsIT {
    @TempDir
    Path folder;

    @Test
    void aTermThatBreaksACommandOffIsAnsweredWithOneEnvelope() throws Exception {
        Ran ended = signalled("TERM", "obedient");

        assertThat(ended.exit()).isEqualTo(143);
        assertThat(ended.error().get("code")).isEqualTo("CANCELLED");
        assertThat(ended.error().get("signal")).isEqualTo("SIGTERM");
        assertThat(ended.data().get("partial")).isEqualTo(true);
        assertThat(ended.error().get("retryable")).isEqualTo(false);
        assertThat(ran("obedient").exit()).isEqualTo(3);
    }

    @Test
    @Tag("proof")
    void anIntIsAnsweredWithOneEnvelope() throws Exception {
        HeardSignals.assume("INT");
        Ran ended = signalled("INT", "obedient");

        assertThat(ended.exit()).isEqualTo(130);
        assertThat((String) ended.error().get("message")).startsWith("SIGINT ");
        assertThat(ended.error()).containsEntry("code", "CANCELLED").containsEntry("signal", "SIGINT");
        assertThat(ended.data()).containsEntry("partial", true);
    }

    @Test
    void whatWasFinishedAllTheSameIsRecorded() throws Exception {
        Ran ended = signalled("TERM", "finishing");
        Ran replayed = ran("finishing");

        assertThat(ended.exit()).isEqualTo(143);
        assertThat((String) ended.error().get("message")).contains("By then it was done (created)");
        assertThat(replayed.effect()).isEqualTo("noop");
        assertThat(replayed.data().get("value")).isEqualTo("finished");
    }

    @Test
    void aCommandThatDoesNotListenIsAnsweredForAndEnded() throws Exception {
        Ran ended = signalled("TERM", "stubborn");

        assertThat(ended.exit()).isEqualTo(143);
        assertThat(ended.error().get("retryable")).isEqualTo(false);
        assertThat((String) ended.error().get("message")).contains("It is unknown");
        assertThat(ran("stubborn").exit()).isEqualTo(3);
    }

    @Test
    @Tag("proof")
    void aReadThatWasInterruptedHasDoneNothing() throws Exception {
        Ran ended = signalled("TERM", "harmless");

        assertThat(ended.exit()).isEqualTo(143);
        assertThat(ended.error().get("retryable")).isEqualTo(true);
        assertThat(ended.data().get("partial")).isEqualTo(false);
    }

    /** Starts the command, and sends the signal when it acts. */
    private Ran signalled(String signal, String command) throws Exception {
        Process process = start(command);
        try (BufferedReader err =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            String line = err.readLine();
            while (line != null && !line.equals("acting")) {
                line = err.readLine();
            }
            assertThat(line).isEqualTo("acting");
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
            assertThat(kill.waitFor()).isZero();
            return ended(process);
        } finally {
            process.destroyForcibly();
        }
    }

    private Ran ran(String command) throws Exception {
        Process process = start(command);
        try {
            return ended(process);
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start(String command) throws Exception {
        List<String> words = command.equals("harmless") ? List.of(command) : List.of(command, "--idempotency-key", "k");
        ProcessBuilder builder = new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                System.getProperty("java.class.path"),
                SignalMain.class.getName());
        builder.command().addAll(words);
        builder.environment().put("IDEM_LEDGER", "sqlite:" + folder.resolve("idem.db"));
        builder.redirectInput(new File("/dev/null"));
        return builder.start();
    }

    private static Ran ended(Process process) throws Exception {
        String stdout = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), stdout, "");
    }
}
