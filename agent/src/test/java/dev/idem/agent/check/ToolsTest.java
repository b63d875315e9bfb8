package dev.idem.agent.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.Policy;
import dev.idem.Probe.Verdict;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ToolsTest {
    private static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));

    @TempDir
    private Path folder;

    record Order(String customer, long cents) {}

    @Test
    void aToolThatSaysEverythingHasNoFindings() {
        Tool charge = Tool.named("charge")
                .policy(Policy.write())
                .input(Order.class)
                .policy(Policy.unset().passesKeyTo(STRIPE))
                .probe((doubted, in) -> Verdict.unknown())
                .build();
        Tool lookup = Tool.named("lookup_order").policy(Policy.read()).build();

        CheckReport report = Tools.check(charge, lookup);

        assertThat(report.findings()).isEmpty();
        assertThat(report.summary()).isEqualTo("2 tools checked: 0 errors, 0 warnings, 0 notes");
        assertThat(report.exitCode(Severity.NOTE)).isZero();
    }

    @Test
    void untaggedToolsWhoseNamesSayThatTheyActAreFound() {
        assertThat(rules(Tools.check(Tool.named("send_email").build())))
                .containsExactly("untagged-action", "write-without-recovery");
        assertThat(rules(Tools.check(Tool.named("createOrder").build()))).contains("untagged-action");
        assertThat(rules(Tools.check(Tool.named("get_order").build()))).isEmpty();
        assertThat(rules(Tools.check(
                        Tool.named("deleteUser").policy(Policy.read()).build())))
                .containsExactly("read-that-acts");
    }

    @Test
    void destructiveToolsWithoutApprovalAreFound() {
        Tool drop = Tool.named("drop").policy(Policy.destructive()).build();

        assertThat(rules(Tools.check(drop))).containsExactly("destructive-without-approval");
        assertThat(rules(
                        Tools.check(drop.with(tool -> tool.policy(Policy.unset().approval())))))
                .isEmpty();
    }

    record Mail(String to, String body, String request_id) {}

    @Test
    void volatileAndRewordedFieldsInTheIdentityAreFoundAndSoAreNamesThatAreWrong() {
        Tool mail =
                Tool.named("mail").policy(Policy.idempotent()).input(Mail.class).build();

        assertThat(rules(Tools.check(mail))).containsExactly("volatile-identity", "reworded-identity");
        assertThat(rules(Tools.check(mail.with(tool -> tool.identity("to"))))).isEmpty();
        assertThat(rules(Tools.check(mail.with(tool -> tool.identity("too"))))).containsExactly("unknown-field");
        assertThat(rules(Tools.check(mail.with(tool -> tool.ignore("request_id").content("body")))))
                .isEmpty();
    }

    @Test
    void aRetentionThatOutlivesTheRemoteIsFound() {
        Tool charge =
                Tool.named("charge").policy(Policy.write().passesKeyTo(STRIPE)).build();

        assertThat(Tools.check(charge).findings())
                .extracting(Finding::rule, Finding::severity)
                .containsExactly(tuple("retention-outlives-remote", Severity.NOTE));
        assertThat(Tools.check(charge.with(tool -> tool.policy(Policy.unset().retention(Duration.ofDays(30)))))
                        .findings())
                .extracting(Finding::severity)
                .containsExactly(Severity.WARNING);
        assertThat(rules(Tools.check(
                        charge.with(tool -> tool.policy(Policy.unset().retention(Duration.ofHours(24)))))))
                .isEmpty();
    }

    @Test
    void aSessionThatAllShareOrThatNoRestartFindsIsFound() {
        Tool mail = Tool.named("mail").policy(Policy.idempotent()).build();
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            assertThat(rules(Tools.check(Session.of(idem, "default", mail)))).containsExactly("global-scope");
            assertThat(rules(Tools.check(Session.fresh(idem, mail)))).containsExactly("global-scope");
            assertThat(rules(Tools.check(Session.of(idem, "order-7", mail)))).isEmpty();
        }
    }

    @Test
    void hintsThatContradictEachOtherCountAsTheStrictestOfThem() {
        assertThat(McpHints.sideEffect(Map.of("readOnlyHint", true, "destructiveHint", true)))
                .hasValue(SideEffect.DESTRUCTIVE);
        assertThat(McpHints.sideEffect(Map.of("idempotentHint", true, "destructiveHint", true)))
                .hasValue(SideEffect.DESTRUCTIVE);
        assertThat(McpHints.sideEffect(Map.of("readOnlyHint", true, "destructiveHint", false)))
                .hasValue(SideEffect.READ);
        assertThat(McpHints.sideEffect(Map.of("readOnlyHint", false, "idempotentHint", true)))
                .hasValue(SideEffect.IDEMPOTENT);
        assertThat(McpHints.sideEffect(Map.of("readOnlyHint", false))).hasValue(SideEffect.WRITE);
        assertThat(McpHints.sideEffect(Map.of("readOnlyHint", "true", "title", "x")))
                .isEmpty();
    }

    @Test
    void listsInTheShapesOfMcpOpenaiAndAnthropicAreRead() {
        String mcp = """
                {"tools":[{"name":"drop_table","inputSchema":{"type":"object"},"annotations":{"destructiveHint":true}},
                 {"name":"list_tables","annotations":{"readOnlyHint":true}}]}""";
        String openAi = """
                [{"type":"function","function":{"name":"send_email",
                  "parameters":{"type":"object","properties":{"to":{"type":"string"},"nonce":{"type":"string"}}}}}]""";
        String anthropic = """
                [{"name":"charge","input_schema":{"type":"object","properties":{"customer":{"type":"string"}}},
                  "x-idem":{"side_effect":"write","passes_key_to":"Stripe 24h",
                  "retention":"P30D","scope":"global"}}]""";

        assertThat(rules(Tools.checkJson(mcp, "mcp.json"))).containsExactly("destructive-without-approval");
        assertThat(rules(Tools.checkJson(openAi, "openai.json")))
                .containsExactly("volatile-identity", "untagged-action", "write-without-recovery");
        assertThat(rules(Tools.checkJson(anthropic, "anthropic.json")))
                .containsExactly("global-scope", "retention-outlives-remote");
        assertThatThrownBy(() -> Tools.checkJson("{}", "x.json")).hasMessageContaining("x.json is no list of tools");
    }

    /** A class that goes past its own guard, directly and by a method reference, and calls a method of another class. */
    static final class Shop implements Consumer<String> {
        private final Planted other = new Planted();

        @Once(value = SideEffect.IDEMPOTENT)
        long charge(String customer, long cents) {
            return cents + 5_000_000_000L;
        }

        @Once(value = SideEffect.IDEMPOTENT)
        void refund(String customer) {}

        @Once(value = SideEffect.IDEMPOTENT)
        void remind(String customer) {}

        /** The compiler adds a bridge that calls it. */
        @Override
        @Once(value = SideEffect.IDEMPOTENT)
        public void accept(String customer) {
            other.dropTable(customer);
        }

        void all(List<String> customers) {
            customers.forEach(this::refund);
            customers.forEach(customer -> charge(customer, 1));
        }
    }

    @Test
    void aClassThatCallsItsOwnGuardedMethodIsFound() {
        CheckReport report = Tools.check(Shop.class);
        assertThat(report.findings())
                .filteredOn(finding -> finding.rule().equals("self-call"))
                .extracting(Finding::tool)
                .containsExactlyInAnyOrder("charge", "refund");
    }

    /** A tool with a finding, for the check of a jar. */
    static final class Planted {
        @Once(SideEffect.DESTRUCTIVE)
        void dropTable(String table) {}
    }

    @Test
    void annotatedClassesAreReadFromCodeAFolderAndAJar() throws Exception {
        assertThat(rules(Tools.check(Planted.class))).containsExactly("destructive-without-approval");

        String file = Planted.class.getName().replace('.', '/') + ".class";
        byte[] code = Planted.class.getResourceAsStream("/" + file).readAllBytes();
        Path classes = folder.resolve("classes");
        Files.createDirectories(classes.resolve(file).getParent());
        Files.write(classes.resolve(file), code);
        Path jar = folder.resolve("tools.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new JarEntry(file));
            out.write(code);
            out.closeEntry();
        }
        Path json = Files.writeString(folder.resolve("tools.json"), "[{\"name\":\"send\"}]");

        assertThat(rules(Tools.check(classes))).containsExactly("destructive-without-approval");
        assertThat(rules(Tools.check(jar))).containsExactly("destructive-without-approval");
        assertThat(rules(Tools.check(json))).contains("untagged-action");
        assertThatThrownBy(() -> Tools.check(folder.resolve("tools.txt"))).hasMessageContaining("neither a jar");
    }

    @Test
    void reportsAreForPeopleProgramsAndCodeHosts() {
        CheckReport report =
                Tools.check(Tool.named("drop").policy(Policy.destructive()).build());

        assertThat(report.text()).isEqualTo("""
                        warning  drop  [destructive-without-approval]  code
                            it is destructive, and runs without an approval
                            fix: add .policy(Policy.destructive().approval()), or @Once(approval = true)
                        1 tool checked: 0 errors, 1 warning, 0 notes
                        """);
        assertThat(report.exitCode(Severity.WARNING)).isEqualTo(1);
        assertThat(report.exitCode(Severity.ERROR)).isZero();
        assertThat(Json.parse(report.json())).isInstanceOf(Map.class);
        Map<?, ?> sarif = (Map<?, ?>) Json.parse(report.sarif());
        assertThat(sarif.get("version")).isEqualTo("2.1.0");
        Map<?, ?> run = (Map<?, ?>) ((List<?>) sarif.get("runs")).get(0);
        Map<?, ?> result = (Map<?, ?>) ((List<?>) run.get("results")).get(0);
        assertThat(result.get("ruleId")).isEqualTo("destructive-without-approval");
        assertThat(result.get("level")).isEqualTo("warning");
        assertThat(URI.create(String.valueOf(sarif.get("$schema"))).isAbsolute())
                .isTrue();
    }

    private static List<String> rules(CheckReport report) {
        return report.findings().stream().map(Finding::rule).toList();
    }
}
