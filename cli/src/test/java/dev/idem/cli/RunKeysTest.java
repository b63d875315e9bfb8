package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
}
