package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Real signals in the middle of real calls: each still ends with one envelope, and soon. */
class InterruptedIT extends ProcessCase {
    private Started start(String... words) {
        return idems.start(Redirect.PIPE, Idems.command(List.of(), words));
    }

    private static Ran ended(Started started) {
        Idems.signal("TERM", started.process.pid());
        Ran ran = started.end();
        assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(143);
        assertThat(ran.out().lines()).hasSize(1);
        assertThat(SchemaCheck.problems("envelope", ran.json())).isEmpty();
        assertThat(ran.error()).containsEntry("code", "CANCELLED");
        return ran;
    }

    @Test
    void aBatchRunsWhatHasComeAndEndsWhileItWaitsForMore() throws IOException {
        Started batch = start("batch", "--key", "b", "--json", "--", "sh", "-c", "echo \"$0\" >>effects");
        try (OutputStream stdin = batch.process.getOutputStream()) {
            stdin.write("one\ntwo\n".getBytes(StandardCharsets.UTF_8));
            stdin.flush();
            Until.isTrue("both lines are done", () -> effects().size() == 2);
            Until.isTrue("they are recorded", () -> recorded() == 2);
            assertThat(ended(batch).data()).containsEntry("ran", 2L).containsEntry("effect", "created");
        }
    }

    private int recorded() {
        Ran ran = idems.run("ls", "--state", "complete", "--json");
        return ((List<?>) ran.data().get("entries")).size();
    }

    @Test
    void theCommandsOfABatchHearItAllAndNothingElseIsStarted() throws IOException {
        Files.write(
                home.resolve("lines"),
                IntStream.range(0, 10).mapToObj(i -> "l" + i).toList());
        Started batch = start(
                "batch",
                "--key",
                "b",
                "--input",
                "lines",
                "--jobs",
                "3",
                "--json",
                "--",
                "sh",
                "-c",
                "echo \"$0\" >>effects; exec sleep 300");
        Until.isTrue("three commands run", () -> effects().size() == 3);
        assertThat(ended(batch).data()).containsEntry("in_doubt", 3L).containsEntry("done", 3L);
        assertThat(effects()).hasSize(3);
    }

    @Test
    void aWatchTellsWhatChangesAndEndsWithAllOfIt() {
        Started watch = start("watch", "--every", "10ms", "--json");
        Until.isTrue("it has opened the ledger", () -> watch.hasOpen("idem.db"));
        Path told = watch.stdout();
        Started lines =
                idems.with("IDEM_TEXT", "1").start(Redirect.PIPE, Idems.command(List.of(), "watch", "--every", "10ms"));
        Until.isTrue("a change is told", () -> {
            idems.run("claim", "c-" + System.nanoTime());
            return Files.exists(lines.stdout()) && lines.stdout().toFile().length() > 0;
        });
        Idems.signal("TERM", lines.process.pid());
        Ran ran = lines.end();
        assertThat(ran.exit()).isEqualTo(143);
        assertThat(ran.out()).contains("in_progress", "default/call/c-");
        assertThat(told).isEmptyFile();
        assertThat((List<?>) ended(watch).data().get("changes")).isNotEmpty();
    }

    @Test
    void aGradeEndsWithTheCommandThatWasGraded() {
        List<String> tool = new ArrayList<>(List.of("score", "--yes", "--json", "--", "sh", "-c"));
        tool.addAll(List.of("echo $$ >>effects; exec sleep 300", "tool", "1"));
        Started score = start(tool.toArray(String[]::new));
        Until.isTrue("it runs", () -> !effects().isEmpty());
        ended(score);
        long pid = Long.parseLong(effects().get(0));
        Until.isTrue(
                "nothing is left",
                () -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }

    @Test
    void aQuestionNeedNotBeAnswered() {
        Started score = start("score", "--json", "--", "echo", "1");
        Until.isTrue("it asks", () -> score.stderr().contains("Type yes to go on"));
        ended(score);
    }
}
