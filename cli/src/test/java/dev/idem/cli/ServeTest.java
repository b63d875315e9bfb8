package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServeTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
    }

    @Test
    void aDryRunStartsNoServer() {
        Ran ran = shell.idem("serve", "--dry-run");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out() + ran.err()).endsWith("can be served\n");
        assertThat(folder.resolve("s.sock")).doesNotExist();
    }

    @Test
    void aSocketThatCantBeMadeIsAnError() {
        Ran ran = shell.idem("serve", "--socket", "x".repeat(120));
        assertThat(ran.exit()).isEqualTo(1);
        assertThat(ran.err()).contains("give a shorter one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--tls-cert x --listen 127.0.0.1:0|go together",
                "--listen 0.0.0.0:0|is reached from other hosts",
                "--listen [::]:0|is reached from other hosts",
                "--listen no-such-host.invalid:0|there is no host 'no-such-host.invalid'",
                "--listen 127.0.0.1|write HOST:PORT",
                "--listen 127.0.0.1:0 --stdio|not both",
                "--public-url http://x|go with --listen",
                "--address-header X-Real-IP|go with --listen",
                "--plain-http|go with --listen",
                "--tokens x|go with --listen",
                "--listen 127.0.0.1:0 --public-url ftp://x|--public-url: write https://",
                "--listen 127.0.0.1:0 --public-url https://me:pw@x|--public-url: write https://",
            })
    void whatCantBeMeantIsRefused(String line, String why) {
        Ran ran = shell.idem(("serve " + line).split(" "));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains(why).doesNotContain("pw@");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " --dry-run"})
    void filesThatCantBeUsedAreNamed(String dry) throws Exception {
        String listen = "serve --listen 127.0.0.1:0 --tokens tokens.json";
        Ran certificate = shell.idem((listen + " --tls-cert no.pem --tls-key no.key" + dry).split(" "));
        assertThat(certificate.exit()).isEqualTo(1);
        assertThat(certificate.err()).contains("there is no file", "no.pem");

        Path tokens = Files.writeString(folder.resolve("tokens.json"), "{\"tokens\":[]}");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-rw----"));
        Ran open = shell.idem((listen + dry).split(" "));
        assertThat(open.exit()).isEqualTo(1);
        assertThat(open.err()).contains("others may open", "chmod 600");
    }

    @Test
    void aFileOfTokensThatCantBeReadIsAnAnswer() throws Exception {
        Files.writeString(folder.resolve("tokens.json"), "rubbish");
        Files.setPosixFilePermissions(folder.resolve("tokens.json"), PosixFilePermissions.fromString("rw-------"));
        for (String command : List.of(
                "ls",
                "revoke a",
                "add --name a --rights read --scopes *",
                "add --name a --rights read --scopes * --dry-run")) {
            Ran ran = shell.idem(("token " + command + " --tokens tokens.json").split(" "));
            assertThat(ran.exit()).isEqualTo(1);
            assertThat(ran.err()).contains("can't be read as a file of tokens").doesNotContain("something went wrong");
        }
    }

    /** A unit gave up while its database said "try again later". */
    @Test
    void aServerWaitsForItsLedger() {
        shell.unreachableTimes = 2;
        shell.unreadable = true;
        Ran ran = shell.idem("serve", "--listen", "127.0.0.1:0", "--tokens", "tokens.json");
        assertThat(ran.err()).containsOnlyOnce("waiting for the ledger").contains("torn");
        shell.unreachableTimes = 1;
        shell.unreadable = false;
        Ran dry = shell.idem("serve", "--listen", "127.0.0.1:0", "--tokens", "tokens.json", "--dry-run");
        assertThat(dry.exit()).isEqualTo(12);
    }

    @Test
    void aDryRunTellsThatTheNameIsTaken() {
        String[] add = "token add --name a --rights read --scopes * --tokens tokens.json --dry-run".split(" ");
        assertThat(shell.idem(add).exit()).isZero();
        assertThat(shell.idem(Arrays.copyOf(add, add.length - 1)).exit()).isZero();
        assertThat(shell.idem(add).exit()).isEqualTo(6);
    }
}
