package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Keys that {@code idem run} derives. */
class RunKeysTest extends RunCase {
    private String[] echo(String... before) {
        return line(before, "sh", "-c", "echo x >>" + effects + "; echo out");
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

    /** The same key with another input was answered from the past, and nothing said that the input did not count. */
    @Test
    void aReplayForAnotherInputWasTakenForAnAnswerToIt() throws IOException, InterruptedException {
        String told = "the input on stdin was not compared";
        String status = folder.resolve("status").toString();
        shell.stdinFile = Files.writeString(folder.resolve("first"), "ann").toFile();
        assertThat(act("cat").err()).as("the first run").doesNotContain(told);
        shell.stdinFile = Files.writeString(folder.resolve("second"), "bob").toFile();
        Ran replay = act("cat", "--status-file", status);
        assertThat(replay.out()).isEqualTo("ann");
        assertThat(replay.err()).contains(told, "--fingerprint stdin").hasLineCount(1);
        assertThat(Files.readString(Path.of(status))).contains("STDIN_NOT_COMPARED");
        assertThat(act("cat", "--quiet").err()).isEmpty();

        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        shell.stdinFile = pipe.toFile();
        assertThat(act("cat").err()).as("a pipe").contains(told);
        shell.stdinFile = Files.createFile(folder.resolve("empty")).toFile();
        assertThat(act("cat").err()).as("an empty file").doesNotContain(told);
        shell.stdinFile = new File("/dev/null");
        assertThat(act("cat").err()).as("no input").doesNotContain(told);
        assertThat(effects()).isEqualTo(1);
    }

    /** The same words in another folder were answered with what the first one had done. */
    @Test
    void wordsThatMakeTheKeyBelongToTheirFolder() throws IOException {
        InProcess elsewhere = new InProcess(Files.createDirectory(folder.resolve("b")));
        elsewhere.handle = shell.handle;
        assertThat(shell.idem(echo("--key-from", "argv")).exit()).isZero();
        assertThat(shell.idem(echo("--key-from", "argv")).exit()).isZero();
        Ran other = elsewhere.idem(echo("--key-from", "argv"));
        assertThat(other.exit()).isEqualTo(82);
        assertThat(other.out()).isEmpty();
        assertThat(other.err()).contains("in another folder", "--fingerprint argv");
        assertThat(elsewhere.idem(echo("--key-from", "argv", "--dry-run")).exit())
                .isEqualTo(82);

        String[] anywhere = echo("--key-from", "argv", "--fingerprint", "argv", "--scope", "any");
        assertThat(shell.idem(anywhere).exit()).isZero();
        assertThat(elsewhere.idem(anywhere).err()).contains("replay of 'idem_");
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void theReplayOfAGivenKeyNamesTheFolderWhereItIsAnother() throws IOException {
        InProcess elsewhere = new InProcess(Files.createDirectory(folder.resolve("b")));
        elsewhere.handle = shell.handle;
        assertThat(act("echo out").exit()).isZero();
        assertThat(act("echo out").err()).contains("replay of 'k'").doesNotContain(folder.toString());
        String script = "echo ran >> '" + effects + "'; echo out";
        Ran other = elsewhere.idem(line(new String[] {"--key", "k"}, "sh", "-c", script));
        assertThat(other.err()).contains("in " + folder + ", not in this folder");
        String[] kept = line(new String[] {"--key", "n", "--no-keep-command"}, "true");
        shell.idem(kept);
        assertThat(elsewhere.idem(kept).err()).contains("replay of 'n'").doesNotContain(folder.toString());
    }

    @Test
    void anInputThatIsComparedNeedsNoWord() throws IOException {
        shell.stdinFile = Files.writeString(folder.resolve("first"), "ann").toFile();
        for (int i = 0; i < 2; i++) {
            shell.stdin = "ann".getBytes(StandardCharsets.UTF_8);
            assertThat(act("cat", "--fingerprint", "stdin").err()).doesNotContain("not compared");
        }
        shell.stdin = "bob".getBytes(StandardCharsets.UTF_8);
        assertThat(act("cat", "--fingerprint", "stdin").exit()).isEqualTo(82);
    }
}
