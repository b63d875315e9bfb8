package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.command.Shell;
import dev.idem.testkit.Thorough;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What nobody wishes for: too much output, places that can't be written to, disks that are full. */
class BadInputIT extends ProcessCase {
    private static final int TOO_MUCH = Thorough.times(20_000_000, 100_000_000);

    @TempDir
    static Path cache;

    /** A line of a shell, in which {@code idem} stands for the words that start it. */
    private Ran shell(String line) {
        String idem = Shell.line(Idems.command(List.of()));
        return idems.start(Redirect.from(new File("/dev/null")), List.of("sh", "-c", line.replace("idem", idem)))
                .end();
    }

    @Test
    void moreOutputThanIsKeptIsPassedOnWholeAndNotReplayed() throws IOException {
        String[] line = {"run", "--key", "k", "--", "sh", "-c", "echo x >>effects; head -c " + TOO_MUCH + " /dev/zero"};
        Ran first = idems.run(line);
        assertThat(first.exit()).as(first.err()).isZero();
        assertThat(Arrays.equals(first.stdout(), new byte[TOO_MUCH])).isTrue();

        Ran second = idems.run(line);
        assertThat(second.exit()).as(second.err()).isZero();
        assertThat(second.stdout()).isEmpty();
        assertThat(second.err()).contains("the command wrote " + TOO_MUCH + " bytes");
        line[2] = "j";
        Ran json = idems.with("IDEM_JSON", "1").run(line);
        assertThat(json.data()).containsEntry("output_bytes", (long) TOO_MUCH);
        assertThat(json.stdout()).hasSizeLessThan(2000);
        assertThat(effects()).hasSize(2);
    }

    @Test
    void aHomeThatCanNotBeWrittenToRunsNothing() throws IOException {
        Path file = Files.writeString(home.resolve("file"), "no folder");
        // Nobody can make anything in /proc, not even root.
        for (Path place : List.of(file, Path.of("/proc"))) {
            idems.with("HOME", place.toString()).with("XDG_STATE_HOME", null);
            Ran ran = idems.run("run", "--key", "k", "--", "sh", "-c", "echo x >>effects");
            assertThat(ran.exit()).as(ran.err()).isEqualTo(83);
            assertThat(ran.err()).contains("can't be made", "--ledger sqlite:/path/idem.db");
            // Looking makes nothing, so that it needs nothing: there are no entries yet.
            assertThat(idems.run("ls", "--json").exit()).isZero();
        }
        assertThat(effects()).isEmpty();
    }

    /** A mistyped path would be an empty ledger, in which nothing has run yet. */
    @Test
    void aLedgerInAFolderThatIsNotThereRunsNothing() throws IOException {
        Path mistyped = home.resolve("stat");
        for (String ledger : List.of("sqlite:" + mistyped.resolve("idem.db"), "jsonl:" + mistyped.resolve("i.jsonl"))) {
            Ran ran = idems.run("run", "--ledger", ledger, "--key", "k", "--", "sh", "-c", "echo x >>effects");
            assertThat(ran.exit()).as(ran.err()).isEqualTo(83);
            assertThat(ran.err()).contains("does not exist. Check the path", "mkdir -p " + mistyped);
            Ran list = idems.run("ls", "--ledger", ledger, "--json");
            assertThat(list.exit()).isEqualTo(2);
            assertThat(list.error()).containsEntry("code", "USAGE");
        }
        assertThat(mistyped).doesNotExist();
        assertThat(effects()).isEmpty();
    }

    /** With the launcher, which has unpacked the native library of SQLite before. */
    private Ran limited(int blocks, String line) {
        idems.with("XDG_CACHE_HOME", cache.toString()).with("JAVA_HOME", System.getProperty("java.home"));
        String idem = Shell.line(List.of(LauncherIT.launcher().toString()));
        String script = idem + " ls >/dev/null && ulimit -f " + blocks + " && " + idem + " " + line;
        return idems.start(Redirect.from(new File("/dev/null")), List.of("sh", "-c", script))
                .end();
    }

    @Test
    void aDiskThatIsFullBeforeRunsNothing() throws IOException {
        Ran ran = limited(1, "run --key k -- sh -c 'echo x >>effects'");
        assertThat(ran.exit()).as(ran.err()).isEqualTo(83);
        assertThat(ran.err()).contains("the command did not run");
        assertThat(effects()).isEmpty();
        assertThat(idems.run("run", "--key", "k", "--", "sh", "-c", "echo x >>effects")
                        .exit())
                .isZero();
    }

    @Test
    void aDiskThatFillsUpWhileItRunsLeavesDoubtAndSaysSo() throws IOException {
        // Room for the claim, none for four megabytes that do not shrink.
        Ran ran = limited(2048, "run --key k -- sh -c 'echo x >>effects; head -c 4000000 /dev/urandom'");
        assertThat(ran.exit()).as(ran.err()).isEqualTo(81);
        assertThat(ran.err()).contains("the command ran and ended with exit 0, but that could not be recorded");
        assertThat(idems.run("run", "--key", "k", "--", "sh", "-c", "echo x >>effects; head -c 4000000 /dev/urandom")
                        .exit())
                .isEqualTo(81);
        assertThat(effects()).hasSize(1);
    }

    @Test
    void whatCanNotBeWrittenToStdoutIsNotTakenForWell() throws IOException {
        Ran run = shell("idem run --key k -- sh -c 'echo x >>effects; echo out' >/dev/full");
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(idems.run("run", "--key", "k", "--", "sh", "-c", "echo x >>effects; echo out")
                        .out())
                .isEqualTo("out\n");
        for (String line : List.of("ls --json", "ls", "export", "help", "completion bash")) {
            Ran lost = shell("idem " + line + " >/dev/full");
            assertThat(lost.exit()).as("%s: %s", line, lost.err()).isEqualTo(3);
            assertThat(lost.err()).contains("stdout can't be written to");
        }
        assertThat(effects()).hasSize(1);
    }
}
