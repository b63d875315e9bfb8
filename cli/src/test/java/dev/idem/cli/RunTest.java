package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.recorded.Recording;
import dev.idem.entry.Address;
import dev.idem.entry.State;
import dev.idem.error.LedgerUnreadableException;
import dev.idem.json.Json;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunTest {
    @TempDir
    Path folder;

    private InProcess shell;
    private Path effects;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        effects = folder.resolve("effects");
    }

    /** A call of a script that leaves one line for each effect, with options before the command. */
    private Ran act(String script, String... options) {
        String[] words = new String[options.length + 7];
        words[0] = "run";
        words[1] = "--key";
        words[2] = "k";
        System.arraycopy(options, 0, words, 3, options.length);
        int next = 3 + options.length;
        words[next] = "--";
        words[next + 1] = "sh";
        words[next + 2] = "-c";
        words[next + 3] = "echo ran >> '" + effects + "'; " + script;
        return shell.idem(words);
    }

    private long effects() {
        try {
            return Files.exists(effects) ? Files.readAllLines(effects).size() : 0;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long pid() {
        try {
            return Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private State state() {
        return shell.ledger
                .find(new Address("default", "run", "k"))
                .map(entry -> entry.state())
                .orElse(null);
    }

    @Test
    void twoCallsOneEffectAndTheSameAnswer() {
        Ran first = act("printf 'out\\n'; printf err >&2");
        Ran second = act("printf 'out\\n'; printf err >&2");
        assertThat(first.exit()).isZero();
        assertThat(first.out()).isEqualTo("out\n");
        assertThat(first.err()).isEqualTo("err");
        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo("out\n");
        assertThat(second.err()).startsWith("err").contains("idem: replay of 'k': it first ran at 20");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theAdviceAfterANonZeroExitWorksWordForWord() {
        Ran first = act("exit 3");
        assertThat(first.err())
                .contains("if exit 3 of this command always means that nothing happened: "
                        + "first idem resolve k --as failed, then run it again, from now on with --failed-exits 3");
        assertThat(shell.idem("resolve", "k", "--as", "failed").exit()).isZero();
        assertThat(act("exit 3", "--failed-exits", "3").exit()).isEqualTo(3);
        assertThat(act("exit 3", "--failed-exits", "3").exit()).isEqualTo(3);
        assertThat(effects()).isEqualTo(3);
    }

    @Test
    void theCommandIsToldKeyFenceAndAttempt() {
        Ran ran = shell.idem("run", "--key", "k", "--", "sh", "-c", "echo $IDEM_KEY $IDEM_FENCE $IDEM_ATTEMPT");
        assertThat(ran.out()).isEqualTo("k 1 1\n");
    }

    @Test
    void aNonZeroExitIsInDoubtAndNotRunAgain() {
        Ran first = act("exit 3");
        assertThat(first.exit()).isEqualTo(3);
        assertThat(first.err()).contains("does not prove that nothing happened").contains("--failed-exits 3");
        Ran second = act("exit 3");
        assertThat(second.exit()).isEqualTo(81);
        assertThat(second.err())
                .contains("in doubt since")
                .contains("ended with exit 3")
                .contains("idem show k")
                .contains("idem resolve k --as complete")
                .contains("idem resolve k --as failed")
                .contains("--on-doubt rerun");
        assertThat(effects()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "3,   --failed-exits=1-5,   FAILED",
        "3,   --failed-exits=4,     IN_DOUBT",
        "3,   --on-nonzero=rerun,   FAILED",
        "3,   --on-nonzero=keep,    COMPLETE",
        "3,   --on-nonzero=doubt,   IN_DOUBT",
        "130, --on-nonzero=rerun,   IN_DOUBT",
        "137, --on-nonzero=keep,    IN_DOUBT",
        "0,   --on-nonzero=doubt,   COMPLETE",
    })
    void whatAnExitMeansIsForTheCallerToSay(int exit, String option, State state) {
        assertThat(act("exit " + exit, option).exit()).isEqualTo(exit);
        assertThat(state()).isEqualTo(state);
        act("exit " + exit, option);
        assertThat(effects()).isEqualTo(state == State.FAILED ? 2 : 1);
    }

    @Test
    void aKeptExitIsReplayed() {
        act("echo out; exit 3", "--on-nonzero", "keep");
        Ran second = act("echo out; exit 3", "--on-nonzero", "keep");
        assertThat(second.exit()).isEqualTo(3);
        assertThat(second.out()).isEqualTo("out\n");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theEnvironmentSetsOptionsToo() {
        shell.env.put("IDEM_ON_NONZERO", "rerun");
        act("exit 3");
        assertThat(state()).isEqualTo(State.FAILED);
    }

    @ParameterizedTest
    @CsvSource({"--on-doubt=rerun", "--side-effect=idempotent"})
    void doubtIsRunAgainWhereThatDoesNoHarm(String option) {
        String script = "test $(wc -l < '" + effects + "') = 2 || exit 3; echo done";
        act(script);
        Ran second = act(script, option);
        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo("done\n");
        assertThat(act(script).err()).contains("replay");
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void aFailureAfterATakeOverLeavesTheDoubt() {
        act("exit 3");
        act("exit 3", "--on-doubt=rerun", "--failed-exits=3");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void anotherCommandUnderTheKeyIsAConflict() {
        act("true");
        Ran other = act("false");
        assertThat(other.exit()).isEqualTo(82);
        assertThat(other.err()).contains("was used for another command at");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theFingerprintMayHoldStdinDirectoryAndVariables() throws IOException {
        String[] line = {"run", "--key", "k", "--fingerprint", "stdin,cwd,env:A", "--", "cat"};
        shell.stdin = "one".getBytes(StandardCharsets.UTF_8);
        shell.env.put("A", "1");
        assertThat(shell.idem(line).out()).isEqualTo("one");
        assertThat(shell.idem(line).out()).isEqualTo("one");
        shell.env.put("A", "2");
        assertThat(shell.idem(line).exit()).isEqualTo(82);
        shell.env.put("A", "1");
        shell.stdin = "two".getBytes(StandardCharsets.UTF_8);
        assertThat(shell.idem(line).exit()).isEqualTo(82);
    }

    @Test
    void aTimeOutEndsTheWholeGroupAndIsInDoubt() {
        Ran ran = act("sleep 300 & echo $! >'" + folder.resolve("pid") + "'; wait", "--timeout", "300ms");
        assertThat(ran.exit()).isEqualTo(124);
        assertThat(ran.err()).contains("a time-out after 300 ms");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
        long left = pid();
        Until.isTrue(
                "the child of the command ends", () -> shell.host.process(left).isEmpty());
        assertThat(act("sleep 300 & echo $! >'" + folder.resolve("pid") + "'; wait")
                        .exit())
                .isEqualTo(81);
    }

    @Test
    void aCommandThatCanNotStartLeavesNothingBehind() throws IOException {
        assertThat(shell.idem("run", "--key", "k", "--", "no-such-command-here").exit())
                .isEqualTo(127);
        assertThat(shell.idem("run", "--key", "k", "--", "./missing").exit()).isEqualTo(127);
        Files.createFile(folder.resolve("plain"));
        assertThat(shell.idem("run", "--key", "k", "--", "./plain").exit()).isEqualTo(126);
        assertThat(shell.idem("run", "--key", "k", "--", folder.toString()).exit())
                .isEqualTo(126);
        assertThat(state()).isNull();
    }

    @Test
    void aMissingInterpreterIsKnownToHaveDoneNothing() throws IOException {
        Path script = folder.resolve("script");
        Files.writeString(script, "#!/no/such/interpreter\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Ran ran = shell.idem("run", "--key", "k", "--", script.toString());
        assertThat(ran.exit()).isIn(126, 127);
        assertThat(state()).isIn(State.FAILED, null);
    }

    @Test
    void aDuplicateIsAnsweredEvenIfTheCommandIsGone() throws IOException {
        Path script = folder.resolve("script");
        Files.writeString(script, "#!/bin/sh\necho hi\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        String[] line = {"run", "--key", "k", "--", script.toString()};
        assertThat(shell.idem(line).out()).isEqualTo("hi\n");
        Files.delete(script);
        Ran second = shell.idem(line);
        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo("hi\n");
    }

    @Test
    void withoutTheLedgerNothingRuns() {
        shell.handle.down();
        Ran ran = act("true");
        assertThat(ran.exit()).isEqualTo(83);
        assertThat(ran.err()).contains("the command did not run");
        assertThat(effects()).isZero();
    }

    @Test
    void aMarkThatIsNotWrittenStopsTheCommand() {
        shell.handle.fail(Point.BEFORE_MARK);
        assertThat(act("true").exit()).isEqualTo(83);
        assertThat(effects()).isZero();
        assertThat(act("true").exit()).isZero();
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aResultThatCanNotBeRecordedIsSaidToBeInDoubt() {
        shell.handle.at(Point.BEFORE_SETTLE, () -> {
            throw new LedgerUnreadableException("it has just been scribbled over", null);
        });
        Ran ran = act("echo out");
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat(ran.exit()).isEqualTo(81);
        assertThat(ran.err()).contains("ended with exit 0, but that could not be recorded");
    }

    @Test
    void tooMuchOutputPassesLiveButIsNotReplayed() {
        String script = "head -c " + (Recording.CAP + 1) + " /dev/zero; exit 0";
        Ran first = act(script);
        assertThat(first.exit()).isZero();
        assertThat(first.stdout()).hasSize(Recording.CAP + 1);
        assertThat(first.err()).contains("its output is too large");
        Ran second = act(script);
        assertThat(second.exit()).isEqualTo(1);
        assertThat(second.stdout()).isEmpty();
        assertThat(second.err())
                .contains("its result can't be replayed: its output is too large: ")
                .contains("was not run again");
        assertThat(shell.idem("show", "k").out()).contains("can't be replayed: its output is too large: ");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void whatIsLeftRunningDoesNotHoldTheCallForEver() {
        Ran ran = act("sleep 300 & echo $! >'" + folder.resolve("pid") + "'; echo out");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat(ran.err()).contains("still holds its output");
        ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void whatTheOutputGoesThroughMayEndAfterTheCommand() {
        Ran ran = act("(sleep 0.3; echo late; echo later >&2) & echo now");
        assertThat(ran.out()).isEqualTo("now\nlate\n");
        assertThat(ran.err()).isEqualTo("later\n");
        assertThat(act("(sleep 0.3; echo late; echo later >&2) & echo now").out())
                .isEqualTo("now\nlate\n");
    }

    @Test
    void jsonIsOneObjectWithTheCommandInIt() {
        Ran first = act("echo out; echo err >&2", "--json");
        assertThat(first.json())
                .containsOnlyKeys("ok", "data", "error", "warnings", "meta")
                .containsEntry("ok", true);
        assertThat(first.data())
                .containsEntry("effect", "created")
                .containsEntry("key", "k")
                .containsEntry("scope", "default")
                .containsEntry("attempt", 1L)
                .containsEntry("exit_code", 0L)
                .containsEntry("stdout", "out\n")
                .containsEntry("stderr", "err\n");
        assertThat(first.meta()).containsEntry("exit_code", 0L).containsEntry("idempotency_hit", false);
        Ran second = act("echo out; echo err >&2", "--json");
        assertThat(second.exit()).isZero();
        assertThat(second.data()).containsEntry("effect", "noop").containsEntry("stdout", "out\n");
        assertThat(second.meta()).containsEntry("exit_code", 0L).containsEntry("idempotency_hit", true);
    }

    @Test
    void jsonHoldsBytesThatAreNoTextAsBase64() {
        Ran ran = shell.idem("run", "--key", "k", "--json", "--", "printf", "\\377\\000");
        assertThat(ran.data()).containsEntry("stdout", null).containsEntry("stdout_base64", "/wA=");
    }

    @Test
    void jsonTellsWhatMayBeTriedAgain() {
        Ran doubt = act("exit 3", "--json");
        assertThat(doubt.exit()).isEqualTo(3);
        assertThat(doubt.json()).containsEntry("ok", false);
        assertThat(doubt.error()).containsEntry("code", "in_doubt").containsEntry("retryable", false);
        assertThat(doubt.data()).containsEntry("exit_code", 3L).containsEntry("effect", null);
        Ran later = act("exit 3", "--json");
        assertThat(later.error()).containsEntry("code", "in_doubt").containsEntry("retryable", false);
        assertThat(later.meta()).containsEntry("exit_code", 81L);
        Ran conflict = act("exit 4", "--json");
        assertThat(conflict.error()).containsEntry("code", "conflict").containsEntry("retryable", false);
        Ran failed = shell.idem("run", "--key", "j", "--json", "--failed-exits", "1", "--", "false");
        assertThat(failed.error()).containsEntry("code", "command_failed").containsEntry("retryable", true);
        shell.handle.down();
        assertThat(act("exit 3", "--json").error())
                .containsEntry("code", "ledger_unavailable")
                .containsEntry("retryable", true);
    }

    @Test
    void theStatusFileGetsTheObjectWhileStdoutStaysTheCommands() throws IOException {
        Path file = folder.resolve("status.json");
        Ran ran = act("echo out", "--status-file", "status.json");
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat((Map<?, ?>) Json.parse(Files.readAllBytes(file)))
                .extracting("data.stdout")
                .isEqualTo("out\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        try (var left = Files.list(folder)) {
            assertThat(left.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("effects", "status.json");
        }
    }

    @Test
    void aDryRunClaimsNothingAndRunsNothing() {
        assertThat(act("exit 3", "--dry-run", "--json").data()).containsEntry("effect", "would_create");
        assertThat(state()).isNull();
        act("exit 3");
        assertThat(act("exit 3", "--dry-run").exit()).isEqualTo(81);
        assertThat(act("exit 3", "--dry-run", "--on-doubt=rerun").out()).startsWith("would run (attempt 2): sh -c");
        assertThat(act("exit 4", "--dry-run").exit()).isEqualTo(82);
        shell.idem("resolve", "k", "--as", "complete");
        Ran done = act("exit 3", "--dry-run", "--json");
        assertThat(done.exit()).isZero();
        assertThat(done.data()).containsEntry("effect", "noop").containsEntry("state", "complete");
        assertThat(effects()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "run --key k --on-doubt rerun --side-effect destructive -- true | never run again",
                "run --key k --on-nonzero rerun --side-effect destructive -- true | --failed-exits",
                "run --key k --side-effect read -- true | 'read' is not one of write, idempotent, destructive",
                "run --key k --wait soon -- true | --wait: 'soon' is no time",
                "run --key k --failed-exits 200 -- true | always in doubt",
                "run --key k --fingerprint pid -- true | 'pid' is not one of",
                "run --key k --status-file /no/such/folder/x -- true | --status-file",
                "run --key k --ledger nowhere: -- true | --ledger: no ledger for 'nowhere:'",
                "run --key k --scope= -- true | scope has 0 characters",
                "run --key= -- true | the key has 0 characters; a key is 1 to 255 visible",
                "run -- true | run needs a key: give --key K to name this piece of work, or --key-from argv",
                "rnu | unknown command rnu (did you mean run?)",
                "show | there is no KEY",
                "resolve k | idem: resolve needs --as WORD (complete: it happened; failed: it did not). Nothing",
                "resolve k --as done | 'done' is not one of complete, failed",
                "ls --limit many | 'many' is no number",
                "ls --state gone | 'gone' is not one of in_progress",
            })
    void badInputIsExitTwoAndNothingIsRun(String line, String why) {
        Ran ran = shell.idem(line.split(" "));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("idem: ").contains(why);
        assertThat(shell.handle.passed(Point.BEFORE_CLAIM)).isZero();
    }

    @Test
    void aKeyIsOneTo255VisibleCharacters() {
        for (String key : List.of("k".repeat(256), "with space", "ä", "tab\t")) {
            Ran ran = shell.idem("run", "--json", "--key", key, "--", "true");
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.error()).containsEntry("code", "usage").containsEntry("retryable", false);
            for (String command : List.of("run --key", "show", "why", "claim", "renew --fence 1", "approve")) {
                List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
                words.add(key);
                words.addAll(command.startsWith("run") ? List.of("--", "true") : List.of());
                assertThat(shell.idem(words.toArray(new String[0])).err())
                        .as(command)
                        .contains("--key-from or idem key")
                        .doesNotContain("(...)");
            }
        }
        assertThat(shell.idem("run", "--key", "k".repeat(255), "--", "true").exit())
                .isZero();
    }

    @Test
    void destructiveKeepsATombstone() {
        shell.idem("run", "--key", "d", "--side-effect", "destructive", "--", "true");
        assertThat(shell.ledger
                        .find(new Address("default", "run", "d"))
                        .orElseThrow()
                        .settlement()
                        .toString())
                .contains("tombstone=PT168H");
    }
}
