package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.recorded.Recording;
import dev.idem.testkit.FaultyLedger.Point;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;

/** Commands that do not start, do not end or say too much, and ledgers that are not there. */
class RunTroubleTest extends RunCase {
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

    private long pid() {
        try {
            return Long.parseLong(Files.readString(folder.resolve("pid")).strip());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
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
    void tooMuchOutputPassesLiveAndItsReplayHasTheExitOfTheCommand() {
        String script = "head -c " + (Recording.CAP + 1) + " /dev/zero; exit 0";
        Ran first = act(script);
        assertThat(first.exit()).isZero();
        assertThat(first.stdout()).hasSize(Recording.CAP + 1);
        assertThat(first.err()).contains("the command wrote 16777217 bytes, and at most 16777216 are kept");
        Ran second = act(script);
        assertThat(second.exit()).isZero();
        assertThat(second.stdout()).isEmpty();
        assertThat(second.err()).contains("replay of 'k'", "the command wrote 16777217 bytes");
        assertThat(act(script, "--json").data()).containsEntry("output_bytes", 16777217L);
        assertThat(shell.idem("show", "k").out()).contains("exit 0; the command wrote 16777217 bytes, and at most");
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
    void whatIsLeftRunningAndGoesOnWritingDoesNotHoldTheCallForEver() {
        Ran ran = act("(while :; do echo more; done) & echo $! >'" + folder.resolve("pid") + "'; echo out");
        ProcessHandle.of(pid()).ifPresent(ProcessHandle::destroyForcibly);
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("out\n", "more\n");
        assertThat(ran.err()).contains("still holds its output");
    }

    @Test
    void whatTheOutputGoesThroughMayEndAfterTheCommand() {
        Ran ran = act("(sleep 0.3; echo late; echo later >&2) & echo now");
        assertThat(ran.out()).isEqualTo("now\nlate\n");
        assertThat(ran.err()).isEqualTo("later\n");
        assertThat(act("(sleep 0.3; echo late; echo later >&2) & echo now").out())
                .isEqualTo("now\nlate\n");
    }
}
