package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.run.RunCommand;
import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntax;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.FaultyLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code idem run} records in a SQLite file is sealed, and nothing runs where it can't be opened. */
class SealTest {
    private static final Syntax RUN = RunCommand.COMMAND.syntax();

    private static final String SECRET = "tok_live_51Hx";
    private static final String KEY = Base64.getEncoder().encodeToString(new byte[32]);

    @TempDir
    Path folder;

    private InProcess shell;
    private Ledger ledger;
    private Path effects;
    private Path keys;

    @BeforeEach
    void open() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), SECRET);
        effects = folder.resolve("effects");
        keys = keyFile("keys", "a:" + KEY);
        shell = new InProcess(folder);
        shell.env.put("SECRET", secret.toString());
        Path database = Files.createDirectory(folder.resolve("ledger")).resolve("idem.db");
        ledger = Ledgers.open("sqlite:" + database, LedgerContext.ofHost(shell.host));
        shell.handle = new FaultyLedger(ledger);
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    private Path keyFile(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** A command that leaves one line for each effect and prints the secret, which its own words do not hold. */
    private Ran act(String script, String... options) {
        List<String> command =
                List.of("--", "sh", "-c", "echo ran >> '" + effects + "'; cat '" + folder + "/secret'; " + script);
        return shell.idem(Stream.of(List.of("run", "--key", "k"), List.of(options), command)
                .flatMap(List::stream)
                .toArray(String[]::new));
    }

    private long effects() throws IOException {
        return Files.readAllLines(effects).size();
    }

    /** All that is on the disk, the log that SQLite writes ahead included. */
    private String onDisk() throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(folder.resolve("ledger"))) {
            for (Path file : files.toList()) {
                all.append(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }

    @Test
    void theFileDoesNotHoldTheOutputAndAReplayDoes() throws IOException {
        assertThat(act("", "--seal-keys", "keys").out()).isEqualTo(SECRET);
        Ran again = act("", "--seal-keys", keys.toString());
        assertThat(again.exit()).isZero();
        assertThat(again.out()).isEqualTo(SECRET);
        assertThat(effects()).isEqualTo(1);
        assertThat(onDisk()).contains("idem-sealed;v=1;key=a").doesNotContain(SECRET);
        ledger.close();
        assertThat(onDisk()).contains("idem-sealed;v=1;key=a").doesNotContain(SECRET);
    }

    @Test
    void withoutSealingTheFileHoldsIt() throws IOException {
        act("");
        assertThat(onDisk()).contains(SECRET);
        assertThat(act("", "--seal-keys", "keys").out()).isEqualTo(SECRET);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theEnvironmentNamesTheFile() throws IOException {
        shell.env.put("IDEM_SEAL_KEY_FILE", keys.toString());
        act("");
        assertThat(onDisk()).doesNotContain(SECRET);
        assertThat(act("").out()).isEqualTo(SECRET);
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void withoutTheKeyItIsExitEightyThreeAndTheCommandDoesNotRun() throws IOException {
        act("", "--seal-keys", "keys");
        keyFile("others", "b:" + KEY);
        keyFile("wrong", "a:" + KEY.replaceFirst("A", "B"));
        for (Ran ran : List.of(
                act(""), act("", "--seal-keys", "others"), act("", "--seal-keys", "wrong"), act("", "--dry-run"))) {
            assertThat(ran.exit()).isEqualTo(83);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err())
                    .contains("the command did not run")
                    .contains("is sealed with key 'a'")
                    .doesNotContain(SECRET, KEY, KEY.substring(1, 20));
        }
        assertThat(act("", "--json").error()).containsEntry("code", "LEDGER_UNREADABLE");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void anEntryInDoubtIsNotRunAgainWithoutTheKeyEither() throws IOException {
        assertThat(act("exit 3", "--seal-keys", "keys").exit()).isEqualTo(3);
        assertThat(act("exit 3", "--on-doubt", "rerun").exit()).isEqualTo(83);
        assertThat(act("exit 3", "--seal-keys", "keys").err())
                .contains("ended with exit 3")
                .contains("idem resolve k --as complete --seal-keys keys")
                .contains("idem show k --seal-keys keys");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void forgetIsSuggestedWithoutTheKeysItDoesNotTake() {
        Arguments line =
                ArgumentParser.parse(RUN, List.of("--key", "k", "--seal-keys", "keys", "--", "true"), Map.of());
        assertThat(new Suggested("idem", line, "k").forget()).isEqualTo("idem forget k --yes");
    }

    @Test
    void aFileOfKeysThatCantBeUsedIsAWrongArgument() throws IOException {
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-r--r--"));
        Ran open = act("", "--seal-keys", "keys");
        assertThat(open.exit()).isEqualTo(2);
        assertThat(open.err())
                .contains("--seal-keys: " + keys)
                .contains("chmod 600")
                .contains("Nothing was run");
        shell.env.put("IDEM_SEAL_KEY_FILE", "none");
        assertThat(act("").err()).contains("IDEM_SEAL_KEY_FILE: the file of seal keys is not there");
        assertThat(effects).doesNotExist();
    }

    @Test
    void statesAreShownWithoutAKeyAndTheRestWithOne() {
        act("exit 3", "--seal-keys", "keys");
        assertThat(shell.idem("show", "k").out())
                .contains("state        in_doubt")
                .contains("the action ended with")
                .doesNotContain("idem-sealed", "exit 3");
        assertThat(shell.idem("show", "k", "--seal-keys", "keys").out()).contains("the command ended with exit 3");
        assertThat(shell.idem("ls", "--seal-keys", "keys", "--json").out()).contains("the command ended with exit 3");
        assertThat(shell.idem("ls").out()).contains("in_doubt");

        assertThat(shell.idem("resolve", "k", "--as", "complete", "--seal-keys", "keys")
                        .exit())
                .isZero();
        assertThat(shell.idem("show", "k").out()).contains("result       sealed with key 'a'");
        assertThat(shell.idem("show", "k", "--seal-keys", "keys").out()).contains("resolved by hand");
        assertThat(act("exit 3", "--seal-keys", "keys").exit()).isZero();
    }

    @Test
    void aListWithTheWrongKeysIsNoRetryAndForgetNeedsNone() throws IOException {
        act("", "--seal-keys", "keys");
        shell.env.put("IDEM_SEAL_KEY_FILE", keyFile("others", "b:" + KEY).toString());
        for (Ran ran : List.of(shell.idem("ls"), shell.idem("show", "k"))) {
            assertThat(ran.exit())
                    .as("12 would say that the same call may succeed later")
                    .isEqualTo(1);
            assertThat(ran.err()).contains("is sealed with key 'a', which is not among 'b' (seals)");
        }
        assertThat(shell.idem("forget", "k", "--yes").exit()).isZero();
        assertThat(act("").out()).isEqualTo(SECRET);
        assertThat(effects()).isEqualTo(2);
    }
}
