package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.recorded.Recording;
import dev.idem.command.Shell;
import dev.idem.testkit.Until;
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Readers of a command's output that are slow, stop reading or go away: the recording is whole all the same. */
class ReadersIT extends ProcessCase {
    /** 1,288,895 bytes: more than the pipes between the command and its reader, and what is read at once, hold. */
    private static final String[] COUNT = {"run", "--key", "k", "--", "seq", "1", "200000"};

    private static final int COUNTED = 1_288_895;

    private Path fifo;

    @BeforeEach
    void makeFifo() throws IOException, InterruptedException {
        fifo = home.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
    }

    /** Starts it with one of its streams, {@code >} or {@code 2>}, going into the pipe. */
    private Started start(String into, String... words) {
        String line = "exec " + Shell.line(Idems.command(List.of(), words)) + " " + into + Shell.quote(fifo.toString());
        return idems.start(Redirect.from(Path.of("/dev/null").toFile()), List.of("sh", "-c", line));
    }

    /** Reads no more than it is asked for. */
    private InputStream reader() throws IOException {
        return new BufferedInputStream(new FileInputStream(fifo.toFile()), 1);
    }

    private void awaitComplete() {
        Until.isTrue(
                "its end is recorded",
                () -> idems.run("show", "k", "--json").out().contains("\"state\":\"complete\""));
    }

    /** The pump was blocked by the reader, and its two seconds of grace ran out: 65,536 bytes were recorded. */
    @Test
    void whatASlowReaderHasNotReadIsRecorded() throws IOException {
        Started run = start(">", COUNT);
        try (InputStream slow = reader()) {
            awaitComplete();
            assertThat(slow.readAllBytes()).hasSize(COUNTED);
        }
        assertThat(run.end().exit()).isZero();
        Ran replay = idems.run(COUNT);
        assertThat(replay.stdout()).hasSize(COUNTED);
        assertThat(replay.err()).contains("replay of 'k'");
    }

    @Test
    void aReaderThatGoesAwayLosesNothingForTheNext() throws IOException {
        Started run = start(">", COUNT);
        try (InputStream head = reader()) {
            assertThat(head.read()).isEqualTo('1');
        }
        assertThat(run.end().exit()).isZero();
        assertThat(idems.run(COUNT).stdout()).hasSize(COUNTED);
    }

    @Test
    void aFloodOfErrorsNobodyReadsIsRecorded() throws IOException {
        String[] flood = {"run", "--key", "k", "--", "sh", "-c", "seq 1 200000 >&2"};
        Started run = start("2>", flood);
        try (InputStream slow = reader()) {
            awaitComplete();
            assertThat(slow.readAllBytes()).hasSize(COUNTED);
        }
        assertThat(run.end().exit()).isZero();
        assertThat(idems.run(flood).err()).startsWith("1\n2\n").contains("\n200000\n");
    }

    @Test
    @Tag("proof")
    void whatIsTooLargeToBeRecordedReachesASlowReaderWhole() throws IOException {
        int size = Recording.CAP + 3 * 1024 * 1024;
        Started run = start(">", "run", "--key", "k", "--", "head", "-c", Integer.toString(size), "/dev/zero");
        try (InputStream slow = reader()) {
            assertThat(slow.read()).isZero();
            assertThat(slow.readAllBytes()).hasSize(size - 1);
        }
        assertThat(run.end().exit()).isZero();
    }

    @Test
    void aSignalEndsTheWaitForAReaderAndNotTheRecord() throws IOException {
        Started run = start(">", COUNT);
        try (InputStream stopped = reader()) {
            awaitComplete();
            Idems.signal("TERM", run.process.pid());
            Ran ended = run.end();
            assertThat(ended.exit()).isZero();
            assertThat(ended.err()).contains("a signal came before all output was read");
            assertThat(stopped.read()).isEqualTo('1');
        }
        assertThat(idems.run(COUNT).stdout()).hasSize(COUNTED);
    }

    @Test
    @Tag("proof")
    void aReaderOfTheAnswerThatDoesNotReadCanNotKeepTheProcess() throws IOException {
        Started run = start(">", "run", "--json", "--key", "k", "--", "seq", "1", "200000");
        try (InputStream stopped = reader()) {
            awaitComplete();
            assertThat(stopped.read()).as("the answer is being written").isEqualTo('{');
            Idems.signal("TERM", run.process.pid());
            assertThat(run.end().exit()).isZero();
        }
    }
}
