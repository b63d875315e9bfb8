package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import dev.idem.testkit.FaultyLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem batch}. */
class BatchTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    private Ran batch(String lines, String... more) {
        String[] line = new String[more.length + 7];
        System.arraycopy(new String[] {"batch", "--key", "b"}, 0, line, 0, 3);
        System.arraycopy(more, 0, line, 3, more.length);
        String script = "echo \"$0\" >>'" + folder.resolve("effects") + "'; [ \"$0\" != bad ] || exit 9";
        System.arraycopy(new String[] {"--", "sh", "-c", script}, 0, line, 3 + more.length, 4);
        shell.stdin = lines.getBytes(StandardCharsets.UTF_8);
        return shell.idem(line);
    }

    private List<String> effects() throws IOException {
        return Files.readAllLines(folder.resolve("effects"));
    }

    @Test
    void eachLineOnceHoweverOftenItIsCalled() throws IOException {
        Ran first = batch("one\n\ntwo words\none\n", "--json");
        assertThat(first.exit()).as(first.out()).isZero();
        assertThat(first.data()).containsEntry("effect", "created").containsEntry("ran", 3L);
        Ran second = batch("one\n\ntwo words\none\nnew\n", "--json");
        assertThat(second.data()).containsEntry("ran", 1L).containsEntry("replayed", 3L);
        Ran third = batch("one\n\ntwo words\none\nnew\n", "--json");
        assertThat(third.data()).containsEntry("effect", "noop");
        assertThat(third.meta()).containsEntry("idempotency_hit", true);
        assertThat(effects()).containsExactly("one", "two words", "one", "new");
    }

    /** The lines of another folder may be other work, and nothing said that they did not run here. */
    @Test
    void aReplayFromAnotherFolderNamesTheFolder() throws IOException {
        batch("one\ntwo\n");
        InProcess elsewhere = new InProcess(Files.createDirectory(folder.resolve("elsewhere")));
        elsewhere.handle = shell.handle;
        shell = elsewhere;

        Ran again = batch("one\ntwo\nthree\n");
        assertThat(again.exit()).isZero();
        assertThat(again.err()).contains("2 of the replayed lines ran in " + folder + ", not in this folder");
        assertThat(batch("three\n").err()).doesNotContain("not in this folder");
    }

    @Test
    void whatABatchDidNotRunAgainIsCountedAsDuplicatesPrevented() {
        batch("one\ntwo\n");
        batch("one\ntwo\nthree\n");

        assertThat(shell.idem("stats", "--json").data()).containsEntry("duplicates_prevented", 2L);
    }

    @Test
    void aLineInDoubtIsToldAndNotRunAgain() throws IOException {
        Ran ran = batch("one\nbad\ntwo\n", "--json");
        assertThat(ran.exit()).isEqualTo(3);
        assertThat(ran.data()).containsEntry("ran", 2L).containsEntry("in_doubt", 1L);
        assertThat(ran.data().get("problems").toString()).contains("line=2");
        assertThat(batch("one\nbad\ntwo\n").exit()).isEqualTo(3);
        assertThat(effects()).containsExactly("one", "bad", "two");
    }

    @Test
    void linesInDoubtAreNamedWithTheNextCommand() {
        Ran ran = batch("one\nbad\ntwo\n");
        assertThat(ran.err()).containsPattern("idem: line 2, in doubt: idem why idem_\\S+ --operation batch\\n");
        String why = ran.err()
                .lines()
                .filter(line -> line.contains("idem why"))
                .map(line -> line.substring(line.indexOf("why")))
                .findFirst()
                .orElseThrow();
        Ran told = shell.idem(why.split(" ", -1));
        assertThat(told.exit()).isZero();
        assertThat(told.out()).contains("the command ended with exit 9", "--as failed --operation batch");
    }

    @Test
    void onlyTheFirstTenLinesAreNamed() {
        String err = batch("bad\n".repeat(12)).err();
        assertThat(err.lines().filter(line -> line.contains("idem why"))).hasSize(10);
        assertThat(err).contains("idem: and 2 more");
    }

    @Test
    void theLastLineOfTheBarMakesRoomForTheAnswer() {
        shell.style = new OutputStyle(true, true, false);
        Ran ran = batch("one\n");
        assertThat(ran.err()).endsWith("1 of 1 lines, 1 ran\u001b[K\r\u001b[K");
        assertThat(ran.out()).isEqualTo("1 of 1 lines, 1 ran\n");
    }

    @Test
    void itStopsWhenTooMuchGoesWrong() throws IOException {
        Ran ran = batch("bad\ntwo\n", "--stop-after", "1", "--json");
        assertThat(ran.data()).containsEntry("done", 1L).containsEntry("lines", 2L);
        assertThat(effects()).containsExactly("bad");
    }

    @Test
    void aDryRunRunsNothing() {
        assertThat(batch("one\ntwo\n", "--dry-run", "--json").data())
                .containsEntry("effect", "would_create")
                .containsEntry("ran", 2L);
        assertThat(folder.resolve("effects")).doesNotExist();
    }

    @Test
    void theLineStandsWhereItIsWanted() {
        shell.stdin = "a\n".getBytes(StandardCharsets.UTF_8);
        shell.idem("batch", "--key", "c", "--", "touch", folder + "/x-{}-y");
        assertThat(folder.resolve("x-a-y")).exists();
    }

    @Test
    void aTerminalSeesABar() {
        shell.style = new OutputStyle(true, true, false);
        assertThat(batch("one\ntwo\n").err()).contains("[##############################] 2 of 2 lines, 2 ran");
    }

    @Test
    void theBarOfAFileGoesOnWhereItWas() throws IOException {
        Path file = Files.writeString(folder.resolve("lines"), "one\ntwo\n");
        assertThat(batch("", "--input", "lines").exit()).isZero();
        Files.writeString(file, "one\ntwo\nthree\nfour");
        shell.style = new OutputStyle(true, true, false);
        assertThat(batch("", "--input", "lines").err())
                .contains("\r[#######.......................] 1 of 4 lines, 1 replayed")
                .contains("[##############################] 4 of 4 lines, 2 ran, 2 replayed");
        assertThat(effects()).containsExactly("one", "two", "three", "four");
    }

    @Test
    void severalAtATimeDoEachLineOnce() throws IOException {
        String lines = IntStream.range(0, 40).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
        Ran ran = batch(lines, "--jobs", "8", "--json");
        assertThat(ran.exit()).as(ran.out()).isZero();
        assertThat(ran.data()).containsEntry("ran", 40L).containsEntry("lines", 40L);
        assertThat(effects()).hasSize(40).doesNotHaveDuplicates();
        // Each was held back until its pid was written down, although others made pipes at the same time.
        assertThat((List<?>) shell.idem("ls", "--json").data().get("entries"))
                .extracting("last_mark")
                .containsOnly(Files.isDirectory(Path.of("/proc/self/fd")) ? "started" : "starting");
        assertThat(batch(lines, "--jobs", "0").exit()).isEqualTo(2);
    }

    @Test
    void aLineThatIsNoTextEndsTheReadingThere() throws IOException {
        shell.stdin = new byte[] {'a', (byte) 0xff, '\n'};
        assertThat(shell.idem("batch", "--key", "c", "--", "true").exit()).isEqualTo(2);
        shell.stdin = new byte[] {'a', '\n', 'b', 0, '\n', 'c', '\n'};
        Ran cut = shell.idem("batch", "--key", "c", "--json", "--", "true");
        assertThat(cut.exit()).isEqualTo(3);
        assertThat(cut.error().get("message").toString()).contains("line 2 is not UTF-8 text", "1 lines, 1 ran");
        assertThat(cut.data()).containsEntry("ran", 1L);
    }

    @Test
    void aFileThatIsWrongRunsNothing() throws IOException {
        Files.write(folder.resolve("lines"), new byte[] {'a', '\n', (byte) 0xff, '\n'});
        assertThat(batch("", "--input", "lines").exit()).isEqualTo(2);
        assertThat(batch("", "--input", "nowhere").exit()).isEqualTo(2);
        assertThat(folder.resolve("effects")).doesNotExist();
    }

    @Test
    void aLedgerThatGoesAwayIsSaidWithWhatWasDone() {
        shell.handle
                .at(FaultyLedger.Point.BEFORE_CLAIM, () -> {})
                .at(FaultyLedger.Point.BEFORE_CLAIM, () -> {})
                .at(FaultyLedger.Point.BEFORE_CLAIM, shell.handle::down);
        Ran ran = batch("one\ntwo\nthree\n", "--json");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(3);
        assertThat(ran.data()).containsEntry("ran", 2L);
        assertThat(ran.error()).containsEntry("retryable", false);
    }
}
