package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.approval.Wanted;
import dev.idem.cli.InProcess.Ran;
import dev.idem.cli.around.OutputStyle;
import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Danger;
import dev.idem.testkit.FaultyLedger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a pipe every command writes one object of one shape and nothing else, however it ends. */
class EnvelopeTest {
    private static final String SCHEMA = "envelope";

    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        shell.style = OutputStyle.plain();
    }

    /** The key of a call that waits for a person's word. */
    private String waiting() {
        try (Idem idem = Idem.builder().ledger(shell.ledger).quiet().open()) {
            return Approvals.on(idem)
                    .ask(new Wanted(new Address("task", "drop", "k"), Map.of()))
                    .request()
                    .key();
        }
    }

    private Ran checked(String... words) {
        Ran ran = shell.idem(words);
        assertThat(ran.out()).as(String.join(" ", words)).endsWith("}\n");
        assertThat(ran.out().lines()).as(String.join(" ", words)).hasSize(1);
        assertThat(SchemaCheck.problems(SCHEMA, ran.json()))
                .as("%s: %s", String.join(" ", words), ran.out())
                .isEmpty();
        assertThat(ran.json().get("ok")).isEqualTo(ran.exit() == 0);
        assertThat(ran.meta()).containsEntry("exit_code", (long) ran.exit());
        return ran;
    }

    @Test
    void everyCommandThatGoesWell() throws IOException {
        Files.writeString(
                folder.resolve("states.jsonl"), "{\"id\":\"r1\",\"state\":\"complete\",\"result\":{\"n\":1}}\n");
        Files.writeString(folder.resolve("a.json"), "{\"to\":\"ann\"}");
        Files.writeString(folder.resolve("tools.json"), "{\"tools\":[{\"name\":\"get_user\"}]}");
        String nowhere = "http://127.0.0.1:1/";
        String server = McpRulesTest.server(folder);
        hosts();
        shell.stdin = "one\ntwo\n".getBytes(StandardCharsets.UTF_8);
        String waiting = waiting();
        List<String[]> lines = new ArrayList<>(List.of(
                new String[] {"run", "--key", "k", "--json", "--", "echo", "out"},
                new String[] {"run", "--key", "k", "--json", "--", "echo", "out"},
                new String[] {"run", "--key", "d", "--json", "--dry-run", "--", "echo", "out"},
                new String[] {"batch", "--key", "b", "--", "true"},
                new String[] {"claim", "c"},
                new String[] {"renew", "c", "--fence", "6", "--dry-run"},
                new String[] {"renew", "c", "--fence", "6"},
                new String[] {"settle", "c", "--fence", "6", "--as", "complete", "--dry-run"},
                new String[] {"settle", "c", "--fence", "6", "--as", "complete", "--result", "{\"a\":1}"},
                new String[] {"claim", "c"},
                new String[] {"key", "--field", "to=ann", "--json"},
                new String[] {"key", "--diff", "a.json", "a.json", "--json"},
                new String[] {"show", "k"},
                new String[] {"why", "k"},
                new String[] {"ls"},
                new String[] {"ls", "--limit", "1"},
                new String[] {"watch", "--for", "1ms", "--every", "1ms", "--json"},
                new String[] {"stats"},
                new String[] {"doctor"},
                new String[] {"approve"},
                new String[] {"approve", waiting, "--dry-run"},
                new String[] {"deny", waiting, "--why", "no"},
                new String[] {"vet", "tools.json"},
                new String[] {"score", "--dry-run", "--", "echo", "1"},
                new String[] {"score", "--yes", "--", "echo", "1"},
                new String[] {"webhook", "sign", "stripe", "a.json", "--json"},
                new String[] {"webhook", "send", "stripe", "a.json", "--to", nowhere, "--dry-run"},
                new String[] {
                    "token",
                    "add",
                    "--name",
                    "ci",
                    "--rights",
                    "read",
                    "--scopes",
                    "*",
                    "--tokens",
                    "t.json",
                    "--dry-run",
                    "--json"
                },
                new String[] {
                    "token",
                    "add",
                    "--name",
                    "ci",
                    "--rights",
                    "read",
                    "--scopes",
                    "acme/*,x",
                    "--tokens",
                    "t.json",
                    "--json"
                },
                new String[] {"token", "ls", "--tokens", "t.json"},
                new String[] {"token", "revoke", "ci", "--tokens", "t.json", "--dry-run"},
                new String[] {"token", "revoke", "ci", "--tokens", "t.json"},
                new String[] {"mcp", "rules", "--json", "--", "sh", server},
                new String[] {"mcp", "install", "--file", "hosts.json", "--dry-run"},
                new String[] {"mcp", "install", "--file", "hosts.json", "--yes"},
                new String[] {"mcp", "install", "--file", "hosts.json", "--yes"},
                new String[] {"purge", "--yes"},
                new String[] {"purge", "--dry-run"},
                new String[] {"export", "--json", "--with-results"},
                new String[] {"import", "states.jsonl"},
                new String[] {"import", "states.jsonl", "--dry-run"},
                new String[] {"migrate", "--print", "--ledger", "sqlite:x", "--json"},
                new String[] {"migrate"},
                new String[] {"manifest"},
                new String[] {"completion", "bash", "--json"},
                new String[] {"resolve", "k", "--as", "complete"},
                new String[] {"forget", "k", "--dry-run"},
                new String[] {"forget", "k", "--yes"}));
        Set<String> called = new HashSet<>();
        for (String[] line : lines) {
            Ran ran = checked(line);
            assertThat(ran.exit())
                    .as("%s: %s", String.join(" ", line), ran.out())
                    .isZero();
            assertThat(ran.json().get("error")).isNull();
            assertThat(ran.data().containsKey("effect")).as(line[0]).isEqualTo(!line[0].equals("manifest"));
            called.add(name(line));
        }
        assertThat(called)
                .as("all but the demo, whose processes are killed in DemoIT")
                .containsExactlyInAnyOrderElementsOf(commands().stream()
                        .map(Syntax::name)
                        .filter(name -> !name.equals("demo"))
                        .toList());
    }

    /** Makes the configuration of a host. */
    private void hosts() throws IOException {
        McpInstallTest.launcher(shell, folder);
        Files.writeString(folder.resolve("hosts.json"), "{\"mcpServers\":{\"mail\":{\"command\":\"touch\"}}}");
    }

    /** The commands that answer with an envelope: all but {@code mcp} and {@code serve}, whose stdout belongs to others. */
    private static List<Syntax> commands() {
        return Commands.syntaxes().stream()
                .filter(syntax -> !Set.of("mcp", "serve").contains(syntax.name()))
                .toList();
    }

    /** The name of a line's command, which may have two words. */
    private static String name(String[] line) {
        return Set.of("webhook", "mcp", "token").contains(line[0]) ? line[0] + " " + line[1] : line[0];
    }

    @Test
    void everyWayNotToGoWell() {
        assertThat(checked("nonsense").error()).containsEntry("code", "USAGE");
        assertThat(checked("show").exit()).isEqualTo(2);
        assertThat(checked("show", "k", "--nonsense").exit()).isEqualTo(2);
        assertThat(checked("resolve", "k", "--as", "odd").exit()).isEqualTo(2);
        assertThat(checked("resolve", "k").error().get("message").toString()).contains("needs --as");
        assertThat(checked("forget", "k").exit()).isEqualTo(2);
        assertThat(checked("show", "k").error())
                .containsEntry("code", "NOT_FOUND")
                .containsEntry("fix_command", "idem ls --scope default");
        checked("run", "--key", "k", "--json", "--", "false");
        assertThat(checked("run", "--key", "k", "--json", "--", "false").exit()).isEqualTo(81);
        assertThat(checked("run", "--key", "k", "--json", "--", "true").exit()).isEqualTo(82);
        assertThat(checked("run", "--json", "--", "true").exit()).isEqualTo(2);
        assertThat(checked("import", "nowhere").exit()).isEqualTo(5);
        assertThat(checked("settle", "k", "--operation", "run", "--fence", "77", "--as", "failed")
                        .error())
                .containsEntry("code", "STALE");
    }

    /** A line of each command that is right; a command without one turns these tests red. */
    private Map<String, String[]> aLineOfEach() throws IOException {
        Files.writeString(folder.resolve("states.jsonl"), "{\"id\":\"r1\",\"state\":\"complete\"}\n");
        Files.writeString(folder.resolve("tools.json"), "{\"tools\":[{\"name\":\"get_user\"}]}");
        shell.stdin = "one\ntwo\n".getBytes(StandardCharsets.UTF_8);
        hosts();
        Map<String, String[]> lines = new TreeMap<>();
        for (String line : List.of(
                "run --key k --json -- touch effect",
                "batch --key b -- touch effect",
                "claim c",
                "renew c --fence 4",
                "settle c --fence 4 --as complete",
                "key --field to=ann --json",
                "show k",
                "why k",
                "ls",
                "watch --for 1h --json",
                "resolve k --as complete",
                "forget k --yes",
                "approve k",
                "deny k --why no",
                "vet tools.json",
                "score --yes --json -- touch effect",
                "webhook sign stripe tools.json --json",
                "webhook send stripe tools.json --to http://127.0.0.1:1/",
                "token add --name ci --rights read --scopes * --tokens t.json --json",
                "token ls --tokens t.json",
                "token revoke ci --tokens t.json",
                "mcp rules --json -- touch effect",
                "mcp install --file hosts.json --yes",
                "stats",
                "doctor",
                "purge --yes",
                "export --json",
                "import states.jsonl",
                "migrate",
                "manifest",
                "completion bash --json",
                "demo --ledger test: --json")) {
            String[] words = line.split(" ", -1);
            lines.put(name(words), words);
        }
        assertThat(lines.keySet())
                .containsExactlyInAnyOrderElementsOf(
                        commands().stream().map(Syntax::name).toList());
        return lines;
    }

    @Test
    void everyCommandWithWrongArguments() throws IOException {
        for (String[] line : aLineOfEach().values()) {
            List<String> words = new ArrayList<>(List.of(line));
            words.addAll(1, List.of("--nonsense", "--json"));
            Ran ran = checked(words.toArray(String[]::new));
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.error())
                    .containsEntry("code", "USAGE")
                    .containsEntry("fix_command", "idem help " + name(line));
        }
        assertThat(folder.resolve("effect")).doesNotExist();
    }

    @Test
    void everyCommandOnABrokenLedger() throws IOException {
        shell.unreachable = true;
        for (Map.Entry<String, String[]> line : aLineOfEach().entrySet()) {
            boolean uses = Commands.find(line.getKey()).syntax().find("--ledger") != null;
            // They open the ledger only for a key.
            if (uses
                    && !Set.of("score", "webhook send", "mcp install", "token revoke")
                            .contains(line.getKey())) {
                Ran ran = checked(line.getValue());
                assertThat(ran.exit()).as(ran.out()).isEqualTo(line.getKey().equals("run") ? 83 : 12);
                assertThat(ran.error().get("code").toString()).startsWith("LEDGER_");
            }
        }
        assertThat(checked("score", "--yes", "--idempotency-key", "s", "--", "touch", "effect")
                        .exit())
                .isEqualTo(12);
        String[] send = "webhook send stripe tools.json --to http://127.0.0.1:1/ --idempotency-key s".split(" ", -1);
        assertThat(checked(send).error()).containsEntry("code", "LEDGER_UNAVAILABLE");
        String[] install = "mcp install --file hosts.json --yes --idempotency-key s".split(" ", -1);
        assertThat(checked(install).error()).containsEntry("code", "LEDGER_UNAVAILABLE");
        assertThat(folder.resolve("hosts.json")).content().doesNotContain("--name");
        assertThat(folder.resolve("effect")).doesNotExist();
    }

    @Test
    void everyCommandThatASignalEnds() throws IOException {
        shell.signal = 15;
        for (String[] line : aLineOfEach().values()) {
            Ran ran = checked(line);
            assertThat(ran.exit()).as("%s: %s", line[0], ran.out()).isEqualTo(143);
            assertThat(ran.error()).containsEntry("code", "CANCELLED");
        }
        assertThat(folder.resolve("effect")).doesNotExist();
        assertThat(folder.resolve("hosts.json")).content().doesNotContain("--name");
    }

    @Test
    void everyExitIsInTheTableOfItsCommand() throws IOException {
        for (Map.Entry<String, String[]> line : aLineOfEach().entrySet()) {
            List<Integer> exits = Commands.find(line.getKey()).syntax().exits();
            assertThat(exits).as(line.getKey()).contains(0, 2, 130, 143);
            boolean uses = Commands.find(line.getKey()).syntax().find("--ledger") != null;
            assertThat(exits.contains(12) || exits.contains(83))
                    .as(line.getKey())
                    .isEqualTo(uses);
        }
    }

    @Test
    void theFlatShapeHasTheEffectOnTop() {
        shell.idem("run", "--key", "k", "--", "true");
        Map<String, Object> flat = shell.idem("resolve", "k", "--as", "complete", "--json-shape", "flat")
                .json();
        assertThat(flat)
                .containsEntry("ok", true)
                .containsEntry("effect", "noop")
                .containsEntry("reason", "it is complete already");
    }

    /** The variable won over the option, against what the docs say of all options. */
    @Test
    void theLineWinsOverTheEnvironmentInItsShapeToo() {
        shell.env.put("IDEM_JSON_SHAPE", "flat");
        assertThat(shell.idem("stats").json()).containsKey("effect");
        assertThat(shell.idem("stats", "--json-shape", "envelope").json()).doesNotContainKey("effect");
    }

    @Test
    void aPersonSeesTextAndAPipeMayAskForIt() {
        shell.idem("run", "--key", "k", "--", "true");
        assertThat(shell.idem("ls", "--text").out()).startsWith("STATE");
        shell.style = new OutputStyle(true, true, true);
        assertThat(shell.idem("ls").out()).contains("\u001b[32mcomplete\u001b[0m");
        shell.style = new OutputStyle(true, true, false);
        assertThat(shell.idem("ls").out()).startsWith("STATE").doesNotContain("\u001b");
    }

    @Test
    void theManifestFitsItsSchemaAndListsEveryCommand() {
        Ran ran = checked("manifest");
        assertThat(SchemaCheck.problems("manifest", ran.data())).isEmpty();
        String etag = (String) ran.data().get("etag");
        assertThat(checked("manifest", "--etag", etag).meta()).containsEntry("not_modified", true);
    }

    @Test
    void mutatingCommandsTakeAKeyAndADryRun() {
        for (Syntax syntax : commands()) {
            // A ticket or a new token has a name of its own, and the secret of a token must not be kept.
            boolean byName = Set.of("claim", "renew", "settle", "token add").contains(syntax.name());
            if (syntax.danger() != Danger.SAFE) {
                assertThat(syntax.find("--dry-run")).as(syntax.name()).isNotNull();
                assertThat(syntax.find("--idempotency-key") == null)
                        .as(syntax.name())
                        .isEqualTo(byName);
            }
        }
    }

    /** A repeated call revoked the token that somebody else had made under the same name. */
    @Test
    void aTokenIsRevokedOncePerKey() {
        String[] add = "token add --name ci --rights read --scopes * --tokens t.json".split(" ", -1);
        String[] revoke = "token revoke ci --tokens t.json --idempotency-key r-1".split(" ", -1);
        assertThat(shell.idem(add).exit()).isZero();
        assertThat(checked(revoke).data()).containsEntry("effect", "deleted");
        assertThat(shell.idem(add).exit()).isZero();
        assertThat(checked(revoke).data()).containsEntry("effect", "noop");
        assertThat(shell.idem("token", "ls", "--tokens", "t.json").out()).contains("ci");
    }

    @Test
    void aCommandWithAKeyHappensOnce() {
        shell.idem("run", "--key", "k", "--", "echo", "one");
        String[] line = {"forget", "k", "--yes", "--idempotency-key", "f-1"};
        assertThat(checked(line).data()).containsEntry("effect", "deleted");
        shell.idem("run", "--key", "k", "--", "echo", "one");
        Ran again = checked(line);
        assertThat(again.exit()).isZero();
        assertThat(again.data()).containsEntry("effect", "noop").containsEntry("key", "k");
        assertThat(again.meta()).containsEntry("idempotency_hit", true);
        assertThat(shell.idem("show", "k").exit()).isZero();
        assertThat(checked("forget", "other", "--yes", "--idempotency-key", "f-1")
                        .exit())
                .isEqualTo(6);
    }

    @Test
    void aCallThatDidNothingLeavesItsKeyFree() {
        String[] line = {"forget", "k", "--yes", "--idempotency-key", "f-1"};
        assertThat(checked(line).exit()).isEqualTo(5);
        shell.idem("run", "--key", "k", "--", "echo", "one");
        assertThat(checked(line).data()).containsEntry("effect", "deleted");
    }

    @Test
    void theSchemaCheckItselfGoesRed() {
        Object bad = Json.parse("{\"ok\":true,\"data\":null,\"error\":null,\"warnings\":[\"text\"],\"meta\":{}}");
        assertThat(SchemaCheck.problems(SCHEMA, bad)).hasSizeGreaterThanOrEqualTo(2);
    }

    /** A lease says how long its owner is trusted, not how long it will take. */
    @Test
    void aCallerIsToldToLookAgainSoonNotWhenTheLeaseEnds() {
        shell.style = OutputStyle.plain();
        shell.idem("claim", "held", "--lease", "1h");
        assertThat(shell.idem("claim", "held", "--lease", "1h").error()).containsEntry("retry_after_ms", 5_000L);
        String[] run = {"run", "--json", "--key", "held", "--wait", "0", "--", "true"};
        shell.handle.at(FaultyLedger.Point.AFTER_MARK, () -> {
            var elsewhere = new InProcess(folder);
            elsewhere.handle = new FaultyLedger(shell.ledger);
            Ran second = elsewhere.idem(run);
            assertThat(second.exit()).isEqualTo(80);
            assertThat(second.error()).containsEntry("retry_after_ms", 5_000L);
        });
        assertThat(shell.idem(run).exit()).isZero();
    }
}
