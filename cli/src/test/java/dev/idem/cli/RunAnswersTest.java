package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Json;
import dev.idem.cli.InProcess.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code idem run} says about a call to a program, and before it is made. */
class RunAnswersTest extends RunCase {
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
    void wordsThatLookLikeSecretsWereKept() {
        shell.idem("run", "--key", "k", "--", "sh", "-c", "exit 3", "--token=s3cret", "4111 1111 1111 1111", "plain");

        Entry entry = shell.ledger.find(new Address("default", "run", "k")).orElseThrow();
        assertThat(entry.labels().get("command")).contains("***", "plain").doesNotContain("s3cret", "1111");
    }

    @Test
    void theSecretAfterItsOptionWasKept() {
        shell.idem(
                "run", "--key", "k", "--", "sh", "-c", "exit 3", "--api-key", "s3cret", "--to", "ann", "--token", "-v");

        Entry entry = shell.ledger.find(new Address("default", "run", "k")).orElseThrow();
        assertThat(entry.labels()).containsEntry("command", "sh -c 'exit 3' --api-key '***' --to ann --token -v");
        assertThat(shell.idem("show", "k").out()).doesNotContain("s3cret");
    }

    @Test
    void thePasswordsOfUrlsAreNotKept() {
        String[] urls = {
            "https://ann:s3cret@shop.example/o?to=b@c",
            "--url=HTTP://s3cret@shop.example",
            "see https://ann:s3c@ret@shop.example/ there",
            "https://ann:s3cret/x@shop.example/o"
        };
        for (String url : urls) {
            shell.idem("run", "--key", "k", "--", "sh", "-c", "exit 3", url);
            Entry entry = shell.ledger.find(new Address("default", "run", "k")).orElseThrow();
            assertThat(entry.labels().get("command"))
                    .contains("***@shop.example")
                    .doesNotContain("s3c", "ret@");
            assertThat(shell.idem("show", "k").out())
                    .contains("***@shop.example")
                    .doesNotContain("s3c", "ret@");
            shell.idem("forget", "k", "--yes");
        }
        shell.idem("run", "--key", "plain", "--", "echo", "https://shop.example:80/o?to=b@c");
        assertThat(shell.ledger
                        .find(new Address("default", "run", "plain"))
                        .orElseThrow()
                        .labels()
                        .get("command"))
                .contains("https://shop.example:80/o?to=b@c");
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
        assertThat(doubt.error()).containsEntry("code", "IN_DOUBT").containsEntry("retryable", false);
        assertThat(doubt.data()).containsEntry("exit_code", 3L).containsEntry("effect", null);
        Ran later = act("exit 3", "--json");
        assertThat(later.error()).containsEntry("code", "IN_DOUBT").containsEntry("retryable", false);
        assertThat(later.meta()).containsEntry("exit_code", 81L);
        Ran conflict = act("exit 4", "--json");
        assertThat(conflict.error()).containsEntry("code", "CONFLICT").containsEntry("retryable", false);
        Ran failed = shell.idem("run", "--key", "j", "--json", "--failed-exits", "1", "--", "false");
        assertThat(failed.error()).containsEntry("code", "COMMAND_FAILED").containsEntry("retryable", true);
        shell.handle.down();
        assertThat(act("exit 3", "--json").error())
                .containsEntry("code", "LEDGER_UNAVAILABLE")
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

    /** The password stood in the lines for people, in why and in fix_command. */
    @Test
    void theUrlOfTheLedgerIsSuggestedWithoutItsPassword() {
        String[] ledger = {"--ledger", "test://idem:s3cret@host/db"};
        Ran doubt = act("exit 3", ledger);
        assertThat(doubt.err())
                .contains("idem show k --ledger test://idem@host/db")
                .doesNotContain("s3cret");
        Ran json = act("exit 3", "--json", "--ledger", "test://idem:s3cret@host/db");
        assertThat(json.error()).containsEntry("fix_command", "idem show k --ledger test://idem@host/db");
        assertThat(json.out() + json.err()).doesNotContain("s3cret");
        for (String[] line : new String[][] {
            {"why", "k", ledger[0], ledger[1]},
            {"why", "unknown", ledger[0], ledger[1]},
            {"show", "unknown", "--json", ledger[0], ledger[1]},
            {"show", "k", ledger[1]},
            {"run", ledger[1], "--key", "k"},
        }) {
            Ran ran = shell.idem(line);
            assertThat(ran.out() + ran.err()).as(String.join(" ", line)).doesNotContain("s3cret");
        }
    }

    @Test
    void aDoubtCanBeInvestigated() {
        // Without the folder of this test: its random number may look like that of a card.
        shell.idem(line(new String[] {"--key", "k"}, "sh", "-c", "echo sending; echo 'no answer' >&2; exit 3"));
        assertThat(entry().labels().get("command")).startsWith("sh -c 'echo sending; ");
        assertThat(entry().tenure().owner().name()).startsWith(System.getProperty("user.name") + "@");
        assertThat(shell.idem("show", "k").out())
                .contains("the command ended with exit 3 (since ")
                .contains("command: sh -c ", "stdout: sending", "stderr: no answer");
        assertThat(shell.idem("why", "k").out()).doesNotContain("stdout: ");
    }

    @Test
    void whatMayHoldSecretsIsNotKeptWhereThatIsAsked() {
        shell.env.put("TOKEN", "s3cret");
        act("echo s3cret; exit 3", "--no-keep-command", "--fingerprint", "env:TOKEN");
        assertThat(entry().labels()).isEmpty();
        assertThat(entry().failure().message()).isEqualTo("exit 3");
    }

    /** The values of variables that guard a key were kept as labels. */
    @Test
    void whatGuardsAKeyIsNotKept() {
        shell.env.put("TOKEN", "s3cret");
        act("true", "--fingerprint", "cwd,env:TOKEN");
        assertThat(entry().labels()).containsOnlyKeys("command");
        assertThat(entry().labels().toString()).doesNotContain("s3cret");
    }

    @Test
    void aLongCommandIsCutToWhatALabelMayHold() {
        String[] words = line(new String[] {"--key", "k"}, "sh", "-c", "exit 0\n" + "ü\n".repeat(300));
        assertThat(shell.idem(words).exit()).isZero();
        assertThat(entry().labels().get("command")).hasSize(255).endsWith("…");
    }

    private Entry entry() {
        return shell.ledger.find(new Address("default", "run", "k")).orElseThrow();
    }
}
