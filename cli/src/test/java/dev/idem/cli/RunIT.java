package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.idem.Json;
import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.command.Shell;
import dev.idem.testkit.HeardSignals;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RunIT extends ProcessCase {
    private static final int CROWD = Thorough.times(4, 16);

    private Redirect file(String content) throws IOException {
        Path file = home.resolve("input");
        Files.writeString(file, content);
        return Redirect.from(file.toFile());
    }

    @Test
    void twoCallsOneEffectInTheUsersOwnLedger() throws IOException {
        String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo x >>effects; echo out; printf 'err' >&2"};
        Ran first = idems.run(line);
        Ran second = idems.run(line);
        assertThat(first.err()).isEqualTo("err");
        assertThat(first.out()).isEqualTo("out\n");
        assertThat(second.out()).isEqualTo("out\n");
        assertThat(second.err()).startsWith("err").contains("idem: replay of 'k'");
        assertThat(List.of(first.exit(), second.exit())).containsOnly(0);
        assertThat(effects()).hasSize(1);
        Path ledger = home.resolve("state/idem/idem.db");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(ledger)))
                .isEqualTo("rw-------");
    }

    /** What is marked "starting" was not held back, so that a crash at the wrong moment would leave doubt. */
    @Test
    void theCommandIsHeldBackUntilItsPidIsWrittenDown() {
        assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")), "there is no /proc with descriptors here");
        idems.run("run", "--key", "k", "--", "true");
        assertThat(idems.run("show", "k", "--json").data()).containsEntry("last_mark", "started");
    }

    @Test
    void manyAtOnceHaveOneEffectAndEqualOutputs() {
        List<Started> all = IntStream.range(0, CROWD)
                .mapToObj(i -> idems.start(
                        "run", "--key", "k", "--wait", "60s", "--", "sh", "-c", "echo x >>effects; sleep 1; echo $$"))
                .toList();
        List<Ran> ended = all.stream().map(Started::end).toList();
        assertThat(ended).extracting(Ran::exit).containsOnly(0);
        assertThat(ended).extracting(Ran::out).containsOnly(ended.get(0).out()).doesNotContain("");
        assertThat(ended).filteredOn(one -> one.err().contains("replay of 'k'")).hasSize(CROWD - 1);
        assertThat(effects()).hasSize(1);
    }

    @Test
    void bytesAndAMissingLastNewlineAreReplayedExactly() {
        String[] line = {"run", "--key", "k", "--", "printf", "a\\000\\377\\nb"};
        byte[] bytes = {'a', 0, (byte) 0xFF, '\n', 'b'};
        assertThat(idems.run(line).stdout()).isEqualTo(bytes);
        assertThat(idems.run(line).stdout()).isEqualTo(bytes);
    }

    @Test
    void theCommandReadsStdin() throws IOException {
        String[] line = {"run", "--key", "k", "--", "cat"};
        Ran ran = idems.start(file("one\ntwo"), Idems.command(List.of(), line)).end();
        assertThat(ran.out()).isEqualTo("one\ntwo");
    }

    @Test
    void aSurroundingLoopKeepsItsInput() throws IOException {
        String idem = Shell.line(Idems.command(List.of()));
        Ran ran = idems.start(
                        file("a\nb\nc\n"),
                        List.of(
                                "sh",
                                "-c",
                                "while read -r line; do " + idem + " run --key \"$line\" -- echo \"$line\"; done"))
                .end();
        assertThat(ran.out()).isEqualTo("a\nb\nc\n");
    }

    static Stream<Arguments> signals() {
        return Thorough.first(1, arguments("TERM", 143), arguments("INT", 130), arguments("HUP", 129));
    }

    @ParameterizedTest
    @MethodSource("signals")
    void signalsGoToTheGroupAndTheEndIsRecorded(String signal, int exit) {
        HeardSignals.assume(signal);
        Started started =
                idems.start("run", "--key", "k", "--json", "--", "sh", "-c", "echo $$ >pid; sleep 300; echo woke");
        Path pid = home.resolve("pid");
        Until.isTrue("the command runs", () -> Files.exists(pid));
        Idems.signal(signal, started.process.pid());
        Ran ended = started.end();
        assertThat(ended.exit()).isEqualTo(exit);
        assertThat(ended.error()).containsEntry("code", "IN_DOUBT").containsEntry("retryable", false);
        assertThat(ended.data()).containsEntry("exit_code", (long) exit);
        assertThat(idems.run("show", "k").out()).contains("state        in_doubt");
    }

    @Test
    void aSignalTheCommandHandlesLeavesItItsOwnEnd() {
        Started started = idems.start(
                "run",
                "--key",
                "k",
                "--",
                "sh",
                "-c",
                "trap 'echo bye; exit 0' TERM; echo x >effects; sleep 300 & wait");
        Until.isTrue("the command runs", () -> Files.exists(home.resolve("effects")));
        Idems.signal("TERM", started.process.pid());
        Ran ended = started.end();
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).isEqualTo("bye\n");
    }

    @Test
    void aSignalWhileItWaitsEndsTheCallAndRunsNothing() {
        String[] line = {"run", "--key", "k", "--json", "--wait", "60s", "--", "sh", "-c", "echo x >>effects; sleep 300"
        };
        Started owner = idems.start(line);
        Until.isTrue("the command runs", () -> effects().size() == 1);
        Started waiter = idems.start(line);
        Until.isTrue("the second waits", () -> waiter.threads().contains("idem-"));
        Idems.signal("TERM", waiter.process.pid());
        Ran ended = waiter.end();
        assertThat(ended.exit()).isEqualTo(143);
        assertThat(ended.error()).containsEntry("code", "CANCELLED").containsEntry("retryable", true);
        assertThat(effects()).hasSize(1);
        Idems.signal("TERM", owner.process.pid());
        owner.end();
    }

    /** The answer was that nothing had been run, and that the call may simply be made again. */
    @Test
    void aSignalToACommandThatIsTriedAgainLeavesItItsEnd() {
        String[] options = {"--key", "k", "--json", "--side-effect", "idempotent", "--retry", "3", "--backoff", "1ms"};
        Started started = idems.start(RunCase.line(options, "sh", "-c", "echo x >>effects; exec sleep 300"));
        Until.isTrue("the command runs", () -> effects().size() == 1);
        Idems.signal("TERM", started.process.pid());
        Ran ended = started.end();
        assertThat(ended.exit()).isEqualTo(143);
        assertThat(ended.error()).containsEntry("code", "IN_DOUBT").containsEntry("retryable", false);
        assertThat(ended.err()).doesNotContain("Nothing was run");
        assertThat(effects()).hasSize(1);
    }

    /** The signal was forgotten while it waited, and the command was started again. */
    @Test
    void aSignalBetweenTwoTriesEndsTheCall() {
        String[] options = {"--key", "k", "--json", "--failed-exits", "7", "--retry", "3", "--backoff", "5m"};
        Started started = idems.start(RunCase.line(options, "sh", "-c", "echo $$ >>effects; exit 7"));
        Until.isTrue("the command has run", () -> effects().size() == 1);
        long pid = Long.parseLong(effects().get(0));
        Until.isTrue("it has ended", () -> ProcessHandle.of(pid).isEmpty());
        Idems.signal("TERM", started.process.pid());
        Ran ended = started.end();
        assertThat(ended.exit()).isEqualTo(7);
        assertThat(ended.error()).containsEntry("code", "COMMAND_FAILED");
        assertThat(effects()).hasSize(1);
    }

    @Test
    void inFlightElsewhereIsExitEighty() {
        String[] line = {"run", "--key", "k", "--wait", "0", "--", "sh", "-c", "echo x >>effects; sleep 300"};
        Started owner = idems.start(line);
        Until.isTrue("the command runs", () -> effects().size() == 1);
        Ran refused = idems.run(line);
        assertThat(refused.exit()).isEqualTo(80);
        assertThat(refused.err()).containsPattern("Its lease runs for another [0-9]+ s");
        Idems.signal("TERM", owner.process.pid());
        assertThat(owner.end().exit()).isEqualTo(143);
        assertThat(idems.run(line).exit()).isEqualTo(81);
        assertThat(effects()).hasSize(1);
    }

    @Test
    void aLedgerThatCanNotBeUsedIsExitEightyThreeAndNothingRuns() throws IOException {
        Path folder = Files.createDirectory(home.resolve("folder.db"));
        Path text =
                Files.writeString(home.resolve("text.db"), "this is no database, and long enough to be read as one\n");
        for (Path ledger : List.of(folder, text, text.resolve("x.db"), newerLedger())) {
            Ran ran = idems.run(
                    "run", "--key", "k", "--ledger", "sqlite:" + ledger, "--", "sh", "-c", "echo x >>effects");
            assertThat(ran.exit()).as("%s: %s", ledger, ran.err()).isEqualTo(83);
            assertThat(ran.err()).contains("the command did not run");
        }
        assertThat(effects()).isEmpty();
        assertThat(text).hasContent("this is no database, and long enough to be read as one\n");
    }

    /** A ledger that says it was written by a later version, in the four bytes SQLite keeps for that. */
    private Path newerLedger() throws IOException {
        Path ledger = home.resolve("newer.db");
        assertThat(idems.run("claim", "k", "--ledger", "sqlite:" + ledger).exit())
                .isZero();
        try (FileChannel file = FileChannel.open(ledger, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {0, 0, 3, (byte) 0xE7}), 60);
        }
        return ledger;
    }

    @Test
    void aLedgerThatCanNotBeWrittenIsExitEightyThreeAndNothingRuns() throws IOException {
        assumeFalse(
                System.getProperty("user.name").equals("root"),
                "root may write to what is read-only; run as another user");
        Path folder = Files.createDirectory(home.resolve("read-only"));
        Path ledger = folder.resolve("idem.db");
        assertThat(idems.run("claim", "another", "--ledger", "sqlite:" + ledger).exit())
                .isZero();
        Files.setPosixFilePermissions(ledger, PosixFilePermissions.fromString("r--------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("r-x------"));
        Ran ran = idems.run("run", "--key", "k", "--ledger", "sqlite:" + ledger, "--", "sh", "-c", "echo x >>effects");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        assertThat(ran.exit()).as(ran.err()).isEqualTo(83);
        assertThat(effects()).isEmpty();
    }

    @Test
    void withoutAHomeALedgerIsAskedFor() {
        idems.with("HOME", null).with("XDG_STATE_HOME", null);
        Ran ran = idems.run("run", "--key", "k", "--", "true");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("give --ledger");
    }

    @Test
    void variablesThatShellsDropReachTheCommand() {
        Ran ran = idems.with("odd.name-1", "a b").run("run", "--key", "k", "--", "env");
        assertThat(ran.out()).contains("odd.name-1=a b\n").doesNotContain("_idem_word");
    }

    @Test
    void wordsAreThoseThatWereTypedOrNothingRuns() {
        Ran right = idems.with("LC_ALL", "C.UTF-8").run("run", "--key", "k", "--", "printf", "%s", "grün €");
        assertThat(right.out()).isEqualTo("grün €");
        Ran wrong = idems.with("LC_ALL", "C").run("run", "--key", "j", "--", "sh", "-c", "echo x >>effects # grün");
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err()).contains("can't be passed on exactly");
        assertThat(effects()).isEmpty();
    }

    @Test
    void jsonIsExactlyOneObjectAlsoForBadArguments() {
        Ran ran = idems.run("run", "--json", "--kye", "k", "--", "true");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).endsWith("}\n");
        assertThat(ran.error()).containsEntry("code", "USAGE");
    }

    @Test
    void theStatusFileIsWrittenBesideTheOutput() throws IOException {
        Ran ran = idems.run("run", "--key", "k", "--status-file", "status", "--", "echo", "out");
        assertThat(ran.out()).isEqualTo("out\n");
        byte[] status = Files.readAllBytes(home.resolve("status"));
        assertThat((Map<?, ?>) Json.parse(status)).extracting("ok").isEqualTo(true);
        assertThat(new String(status, StandardCharsets.UTF_8)).contains("\"effect\":\"created\"");
    }

    /** It was replaced by a file. */
    @Test
    void aStatusFileThatIsAPipeIsWrittenTo() throws IOException, InterruptedException {
        Path fifo = home.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        Started reader = idems.start(Redirect.from(Path.of("/dev/null").toFile()), List.of("cat", fifo.toString()));
        assertThat(idems.run("run", "--key", "k", "--status-file", "fifo", "--", "echo", "out")
                        .exit())
                .isZero();
        assertThat(Files.isRegularFile(fifo)).isFalse();
        assertThat(reader.end().out()).contains("\"effect\":\"created\"");
    }

    @Test
    void aStatusFileCanBeADescriptorThatWasHandedOverAndNoOther() throws IOException {
        String idem = Shell.line(Idems.command(
                List.of(), "run", "--key", "k", "--status-file", "/dev/fd/9", "--", "sh", "-c", "echo x >>effects"));
        Redirect none = Redirect.from(Path.of("/dev/null").toFile());
        for (String unfit : List.of("9>&-", "9<effects0")) {
            Files.writeString(home.resolve("effects0"), "kept");
            Ran ran = idems.start(none, List.of("sh", "-c", idem + " " + unfit)).end();
            assertThat(ran.exit()).as(ran.err()).isEqualTo(2);
            assertThat(home.resolve("effects0")).hasContent("kept");
        }
        assertThat(effects()).isEmpty();
        assertThat(idems.start(none, List.of("sh", "-c", idem + " 9>>told"))
                        .end()
                        .exit())
                .isZero();
        assertThat(home.resolve("told")).content().contains("\"effect\":\"created\"");
    }
}
