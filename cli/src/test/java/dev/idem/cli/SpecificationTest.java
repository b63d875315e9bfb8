package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Syntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the public specification of command lines for agents asks of idem in a pipe, beside the envelope. */
class SpecificationTest {
    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        shell.style = OutputStyle.plain();
    }

    private static Map<?, ?> json(String line) {
        return (Map<?, ?>) Json.parse(line);
    }

    @Test
    void optionsMayStandBeforeTheCommand() {
        shell.idem("run", "--key", "k", "--scope", "s", "--", "true");
        assertThat(shell.idem("--json", "--scope", "s", "show", "k").data()).containsEntry("key", "k");
        assertThat(shell.idem("--scope=s", "show", "k", "--json").data()).containsEntry("key", "k");
        assertThat(shell.idem("--key", "k2", "run", "--", "echo", "out").out()).isEqualTo("out\n");
        assertThat(shell.idem("--key", "k3", "--", "echo", "run").exit()).isEqualTo(2);
        assertThat(shell.idem("--nonsense", "ls").error().get("message").toString())
                .contains("--nonsense");
        assertThat(shell.idem("--json", "--help").data().get("text").toString()).contains("idem run");
    }

    @Test
    void anOptionHasTheSameFormInEveryCommand() {
        Map<String, Boolean> forms = new HashMap<>();
        for (Syntax syntax : Commands.syntaxes()) {
            for (Option option : syntax.options()) {
                Boolean before = forms.put(option.name(), option.isFlag());
                assertThat(before == null || before == option.isFlag())
                        .as(option.name())
                        .isTrue();
            }
        }
    }

    @Test
    void withoutACommandItIsTheHelp() {
        Ran ran = shell.idem();
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("idem run").isEqualTo(shell.idem("help").out());
    }

    @Test
    void helpIsTextInAPipeAndJsonWhereItIsAskedFor() {
        assertThat(shell.idem("ls", "--help").out()).startsWith("idem ls:");
        Ran json = shell.idem("ls", "--help", "--json");
        assertThat(json.data().get("text")).isEqualTo(shell.idem("help", "ls").out());
        assertThat(json.meta()).containsEntry("help", true).containsKey("schema_ref");
        assertThat(shell.idem("help", "ls", "--json").data()).isEqualTo(json.data());
    }

    @Test
    void theManifestNamesTheIdempotencyKeyOfEveryCommandThatTakesOne() {
        Map<?, ?> manifest = shell.idem("manifest").data();
        assertThat(manifest.get("schema_version")).isEqualTo("3.0");
        Map<?, ?> commands = (Map<?, ?>) manifest.get("commands");
        for (String name : List.of("run", "batch", "import", "purge")) {
            Map<?, ?> command = (Map<?, ?>) commands.get(name);
            assertThat(((Map<?, ?>) command.get("flags")).containsKey("idempotency-key"))
                    .as(name)
                    .isTrue();
            assertThat(command.get("required_scopes")).isEqualTo(List.of());
        }
        assertThat(((Map<?, ?>) commands.get("run")).get("option_placement")).isEqualTo("strict");
        assertThat(((Map<?, ?>) commands.get("ls")).get("option_placement")).isEqualTo("any");
        assertThat(((Map<?, ?>) commands.get("export")).get("streaming_default"))
                .isEqualTo(true);
    }

    /** The members of an example were in another order in every second process. */
    @Test
    void theManifestIsTheSameTextInEveryProcess() {
        String examples = "\"examples\":[{";
        assertThat(shell.idem("manifest").out().split(Pattern.quote(examples), -1))
                .hasSize(Commands.names().size() + 1)
                .allMatch(part -> part.startsWith("{") || part.startsWith("\"description\""));
    }

    /** The schema of the specification allows no other members, and a manifest has no effect. */
    @Test
    void theManifestHadAnEffectOfItsOwn() {
        Ran manifest = shell.idem("manifest");
        assertThat(manifest.data()).containsOnlyKeys("schema_version", "framework_version", "etag", "commands");
        Ran same = shell.idem("manifest", "--etag", (String) manifest.data().get("etag"));
        assertThat(same.json()).containsEntry("data", null).containsEntry("ok", true);
    }

    /** A call that a signal ended before it ran anything has done no part of it. */
    @Test
    void aSignalBeforeTheCommandLeavesNothingPartial() {
        shell.signal = 15;
        Ran ran = shell.idem("run", "--key", "k", "--json", "--", "true");
        assertThat(ran.exit()).isEqualTo(143);
        assertThat(ran.error()).containsEntry("code", "CANCELLED").containsEntry("signal", "SIGTERM");
        assertThat(ran.data()).containsEntry("partial", false).containsEntry("effect", "noop");
    }

    @Test
    void everyAnswerNamesTheVersionOfTheTool() {
        assertThat(shell.idem("stats").meta()).containsEntry("tool_version", CommandLine.VERSION);
        assertThat(shell.idem("nonsense").meta()).containsEntry("tool_version", CommandLine.VERSION);
    }

    @Test
    void anExportEndsWithItsNumberOfEntries() throws IOException {
        shell.idem("run", "--key", "k", "--", "true");
        shell.idem("run", "--key", "l", "--", "true");
        List<String> lines = shell.idem("export").out().lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(json(lines.get(2)).get("ok")).isEqualTo(true);
        assertThat(lines.get(2)).startsWith("{\"_summary\":true,\"total\":2,\"duration_ms\":");
        assertThat(SchemaCheck.problems("envelope", json(lines.get(2)))).isEmpty();
        assertThat(shell.idem("export", "--json").json()).doesNotContainKey("_summary");
        assertThat((Map<?, ?>) json(lines.get(2)).get("data")).isEqualTo(Map.of("count", 2L, "effect", "noop"));
        assertThat(shell.idem("export", "--text").out().lines()).hasSize(2);

        Files.write(folder.resolve("all.jsonl"), lines);
        InProcess other = new InProcess(folder);
        assertThat(other.idem("import", "all.jsonl", "--json").data()).containsEntry("imported", 2L);
    }

    @Test
    void aSignalDuringAStreamIsAnsweredWithItsLastLine() throws IOException {
        shell.idem("run", "--key", "k", "--", "true");
        shell.signal = 2;
        for (String command : List.of("export", "watch")) {
            Ran ran = shell.idem(command);
            assertThat(ran.exit()).as(command).isEqualTo(130);
            List<String> lines = ran.out().lines().toList();
            Map<?, ?> last = json(lines.get(lines.size() - 1));
            assertThat(last.get("ok")).isEqualTo(false);
            Map<?, ?> error = (Map<?, ?>) last.get("error");
            assertThat(error.get("code")).isEqualTo("CANCELLED");
            assertThat(error.get("signal")).isEqualTo("SIGINT");
            assertThat(((Map<?, ?>) last.get("data")).get("partial")).isEqualTo(true);
            assertThat(last.get("_summary")).isEqualTo(true);
            Files.write(folder.resolve("cut.jsonl"), lines);
        }
        InProcess other = new InProcess(folder);
        assertThat(other.idem("import", "cut.jsonl", "--json")
                        .json()
                        .get("warnings")
                        .toString())
                .contains("CUT_OFF");
    }

    @Test
    void aDryRunOfRenewAndSettleWritesNothing() {
        Object fence = shell.idem("claim", "k", "--json").data().get("fence");
        for (String[] line : List.of(
                new String[] {"renew", "k", "--fence", fence.toString(), "--dry-run"},
                new String[] {"settle", "k", "--fence", fence.toString(), "--as", "complete", "--dry-run"})) {
            assertThat(shell.idem(line).data()).containsEntry("effect", "would_update");
            assertThat(shell.idem("show", "k", "--operation", "call").data()).containsEntry("state", "in_progress");
        }
        assertThat(shell.idem("renew", "k", "--fence", "99", "--dry-run").exit())
                .isEqualTo(6);
        shell.idem("settle", "k", "--fence", fence.toString(), "--as", "complete");
        assertThat(shell.idem("settle", "k", "--fence", fence.toString(), "--as", "complete", "--dry-run")
                        .data())
                .containsEntry("effect", "noop");
    }

    @Test
    void purgeAsksLikeForget() {
        assertThat(shell.idem("purge").error().get("message").toString()).contains("--yes", "--dry-run");
        assertThat(shell.idem("purge", "--yes").exit()).isZero();
        assertThat(shell.idem("purge", "--dry-run").exit()).isZero();
    }
}
