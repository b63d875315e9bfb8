package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.agent.approval.Approvals;
import dev.idem.mcp.guard.Message;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The effect of rules, hints and a server's answers on a call. */
class RuledToolsTest {
    private static final String ANN = "{\"to\":\"ann\"}";
    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"tools/list\"}";

    @TempDir
    Path folder;

    private Idem idem;

    @BeforeEach
    void open() {
        idem = Idem.builder()
                .ledger("sqlite:" + folder.resolve("idem.db"))
                .quiet()
                .open();
    }

    @AfterEach
    void close() {
        idem.close();
    }

    private TestHost host(String... fault) throws Exception {
        return new TestHost(idem, McpOptions.of("fixture"), folder, fault);
    }

    private TestHost ruled(String rules, String... fault) throws Exception {
        McpRules parsed = McpRules.parse("version: 1\ntools:\n" + rules, "rules");
        return new TestHost(idem, McpOptions.of("fixture").rules(parsed), folder, fault);
    }

    private Entry onlyEntry() {
        return idem.ledger()
                .as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .get(0);
    }

    /** A server that checks the result of a tool refuses it in the same way, after the tool has acted. */
    @Test
    void aRefusalByAToolThatIsNotKnownIsADoubt() throws Exception {
        try (TestHost host = host()) {
            host.ask(1, "refuse", ANN);

            assertThat(text(host.ask(2, "refuse", ANN))).contains("Do not call it again");
        }
    }

    @Test
    void aRefusalByAToolWhoseResultsAreCheckedIsADoubt() throws Exception {
        try (TestHost host = host()) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "misgive", ANN);

            assertThat(text(host.ask(2, "misgive", ANN))).contains("Do not call it again");
            assertThat(host.effects()).containsExactly("misgive ann");
        }
    }

    /** Clients refuse words as a result of such a tool, but not as an error. */
    @Test
    void wordsForAToolWhoseResultsAreCheckedAreAnError() throws Exception {
        try (TestHost host = ruled("  misgive: {approval: true}\n")) {
            host.send(LIST);
            host.answer(0);
            Message held = host.ask(1, "misgive", ANN);

            assertThat(status(held)).isEqualTo("needs_approval");
            assertThat(held.result("isError")).isEqualTo(true);
        }
    }

    @Test
    void rulesThatFitNoToolAreTold() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        McpRules rules = McpRules.parse("""
                version: 1
                tools:
                  pya: {approval: true}
                  pay: {identity: [to, contnt], probe: {tool: fnid, found: /x}}
                """, "rules");
        try (TestHost host =
                new TestHost(idem, McpOptions.of("fixture").rules(rules).told(told::add), folder)) {
            host.send(LIST);
            host.answer(0);

            assertThat(told)
                    .containsExactlyInAnyOrder(
                            "the rules name the tool 'pya', which the server does not have",
                            "the identity of 'pay' names 'contnt', which is none of its arguments: order, to",
                            "the probe of 'pay' asks 'fnid', which the server does not have",
                            "these tools say that they only read, and a repeated call gets the first answer all the "
                                    + "same: find. Trust the server with --trust-hints, or write rules");
        }
    }

    /** The error is about a tool of another server, or about a call of it, and comes after the effect. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "MCP error -32602: Tool email not found",
                "MCP error -32602: Tool pass disabled",
                "MCP error -32602: Input validation error: Invalid arguments for tool send_mail",
                "-32700",
                "-32600",
                "-32601",
                "-32602",
                "-32020",
                "-32022",
                "-32042"
            })
    void anErrorThatAToolPassesOnProvesNothing(String said) throws Exception {
        try (TestHost host = ruled("  pass: {side_effect: write}\n")) {
            host.send(LIST);
            host.answer(0);
            String arguments = "{\"to\":\"ann\",\"order\":\"" + said + "\"}";
            for (int id = 1; id <= 3; id++) {
                host.ask(id, "pass", arguments);
            }

            assertThat(host.effects()).containsExactly("pass ann");
            assertThat(text(host.ask(4, "pass", arguments))).contains("Do not call it again");
        }
    }

    /** The TypeScript SDK answers so when the arguments do not fit, before the tool runs. The list shows that they do not. */
    @Test
    void aCallWhoseArgumentsDoNotFitTheListedSchemaMayBeMadeAgain() throws Exception {
        try (TestHost host = host()) {
            host.send(LIST);
            host.answer(0);
            for (int id = 1; id <= 2; id++) {
                assertThat(text(host.ask(id, "misfit", "{\"to\":7}")))
                        .startsWith("MCP error -32602: Input validation error");
            }
            host.ask(3, "misfit", ANN);

            assertThat(text(host.ask(4, "misfit", ANN))).contains("Do not call it again");
            assertThat(host.lines("received"))
                    .filteredOn(line -> line.contains("misfit"))
                    .hasSize(3);
        }
    }

    /** The guard has seen no list, so it knows neither the tools nor their arguments. */
    @Test
    void withoutAListNoErrorProvesThatTheToolWasNotReached() throws Exception {
        try (TestHost host = host()) {
            host.ask(1, "misfit", "{\"to\":7}");

            assertThat(text(host.ask(2, "misfit", "{\"to\":7}"))).contains("Do not call it again");
        }
    }

    @Test
    void aListThatHasChangedProvesNothing() throws Exception {
        try (TestHost host = host()) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "news", ANN);
            host.ask(2, "refuse", ANN);

            assertThat(text(host.ask(3, "refuse", ANN))).contains("Do not call it again");
        }
    }

    @Test
    void aDoubtHasLabelsThatTellWhichCallItWas() throws Exception {
        try (TestHost host = host("die")) {
            host.ask(1, "pay", "{\"to\":\"ann\",\"password\":\"hunter2\"}");

            assertThat(onlyEntry().labels()).containsEntry("to", "ann").doesNotContainKey("password");
        }
    }

    @Test
    void anErrorOfAToolIsDoubtUnlessTheRulesSayOtherwise() throws Exception {
        try (TestHost host = host()) {
            assertThat(text(host.ask(1, "fail", ANN))).isEqualTo("it broke");
            assertThat(text(host.ask(2, "fail", ANN))).contains("Do not call it again");
            assertThat(host.effects()).containsExactly("fail ann");
        }
    }

    /** An argument is missing, the place in which it would be found is missing, or silence means nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "arguments: {to: \"{order}\"}, found: /found, absent: not_executed",
                "arguments: {to: \"{to}\"}, found: /messages/0, absent: not_executed",
                "arguments: {to: bob}, found: /found"
            })
    void aProbeThatDidNotLookProvesNothing(String probe) throws Exception {
        try (TestHost host = ruled("  pay: {probe_grace: 0s, probe: {tool: find, " + probe + "}}\n", "die")) {
            host.ask(1, "pay", ANN);

            assertThat(text(host.ask(2, "pay", ANN))).contains("unknown whether that took effect");
            assertThat(host.effects()).containsExactly("pay ann");
        }
    }

    @Test
    void aCallThatAProbeProvesNotMadeIsMade() throws Exception {
        String rules = "  pay: {probe_grace: 0s, probe: {tool: find, arguments: {to: bob}, found: /found, "
                + "absent: not_executed}}\n";
        try (TestHost host = ruled(rules, "die")) {
            host.ask(1, "pay", ANN);

            assertThat(text(host.ask(2, "pay", ANN))).startsWith("pay done");
        }
    }

    /** The probe would find nothing, and the call would be made a second time. */
    @Test
    void noProbeIsAskedWhileTheServerStillHasTheCall() throws Exception {
        String rules =
                "  slow: {wait: 2s, lease: 1s, time_limit: 1s, probe_grace: 0s, probe: {tool: find, arguments: {to: bob}, "
                        + "found: /found, absent: not_executed}}\n";
        try (TestHost host = ruled(rules)) {
            host.send(call(1, "slow", ANN));
            host.awaitLine("effects", "slow ann");

            assertThat(text(host.ask(2, "slow", ANN))).contains("unknown whether that took effect");
            host.letGo();
            assertThat(text(host.answer(1))).startsWith("slow done");
            assertThat(host.effects()).containsExactly("slow ann");
        }
    }

    @Test
    void aProbeAsksAnotherToolOfTheServer() throws Exception {
        String rules =
                "  pay: {probe_grace: 0s, probe: {tool: find, arguments: {to: \"{to}\"}, found: /found, absent: not_executed}}\n";
        try (TestHost host = ruled(rules, "die")) {
            host.ask(1, "pay", ANN);

            assertThat(text(host.ask(2, "pay", ANN))).contains("It took effect earlier");
            assertThat(host.effects()).containsExactly("pay ann");
        }
    }

    @Test
    void onlyTheIdentityOfTheRulesTellsCallsApart() throws Exception {
        try (TestHost host = ruled("  pay: {identity: [to]}\n")) {
            host.ask(1, "pay", "{\"to\":\"ann\",\"order\":\"1\"}");

            assertThat(status(host.ask(2, "pay", "{\"to\":\"ann\",\"order\":\"one\"}")))
                    .isEqualTo("replayed");
            assertThat(status(host.ask(3, "pay", "{\"to\":\"bob\",\"order\":\"1\"}")))
                    .isEmpty();
            assertThat(host.effects()).containsExactly("pay ann", "pay bob");
        }
    }

    @Test
    void keysThatModelsMakeDoNotCountUnlessTheRulesSaySo() throws Exception {
        try (TestHost host = ruled("  slow: {key: /idempotency_key}\n")) {
            host.letGo();
            host.ask(1, "pay", "{\"to\":\"ann\",\"idempotency_key\":\"k-1\"}");
            host.ask(2, "pay", "{\"to\":\"ann\",\"idempotency_key\":\"k-2\"}");
            host.ask(3, "slow", "{\"to\":\"ann\",\"idempotency_key\":\"k-1\"}");
            host.ask(4, "slow", "{\"to\":\"ann\",\"idempotency_key\":\"k-2\"}");

            assertThat(host.effects()).containsExactly("pay ann", "slow ann", "slow ann");
        }
    }

    @Test
    void whatTheServerSaysIsPassedUnchangedAndDecidesWhetherItMayRunAgain() throws Exception {
        try (TestHost host = ruled("  fail: {on_error: failed}\n")) {
            host.send(LIST);
            host.answer(0);
            Message refused = host.ask(1, "refuse", ANN);
            Message failed = host.ask(2, "fail", ANN);

            assertThat(new String(refused.bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"no such tool\"}}");
            assertThat(text(failed)).isEqualTo("it broke");
            host.ask(3, "fail", ANN);
            host.ask(4, "refuse", ANN);
            assertThat(host.effects()).containsExactly("fail ann", "fail ann");
            assertThat(host.lines("received"))
                    .filteredOn(line -> line.contains("refuse"))
                    .hasSize(2);
        }
    }

    @Test
    void aCallThatNeedsAVisitOfAPageFirstIsMadeAgainWhereTheRulesSaySo() throws Exception {
        String arguments = "{\"to\":\"ann\",\"order\":\"-32042\"}";
        try (TestHost host = ruled("  pass: {failed_on: [\"sign in first\"]}\n")) {
            for (int id = 1; id <= 2; id++) {
                assertThat(new String(host.ask(id, "pass", arguments).bytes(), StandardCharsets.UTF_8))
                        .contains("-32042");
            }
            assertThat(host.effects()).hasSize(2);
        }
    }

    @Test
    void aReadPassesUnlessItIsCached() throws Exception {
        try (TestHost host = ruled("  find: {side_effect: read}\n  look: {side_effect: read, retention: 1h}\n")) {
            for (int i = 0; i < 3; i++) {
                host.ask(i, "find", ANN);
                host.ask(10 + i, "look", ANN);
            }
            assertThat(host.lines("received"))
                    .filteredOn(line -> line.contains("find"))
                    .hasSize(3);
            assertThat(host.lines("received"))
                    .filteredOn(line -> line.contains("look"))
                    .hasSize(1);
        }
    }

    @Test
    void anApprovalRunsNothingByItself() throws Exception {
        try (TestHost host = ruled("  pay: {approval: true}\n")) {
            Message held = host.ask(1, "pay", ANN);
            assertThat(status(held)).isEqualTo("needs_approval");
            assertThat(held.result("isError")).isEqualTo(false);
            assertThat(text(host.ask(2, "pay", ANN))).contains("approv");

            Approvals approvals = Approvals.on(idem);
            approvals.approve(approvals.pending().get(0).key(), "ann");
            assertThat(host.effects()).isEmpty();
            assertThat(text(host.ask(3, "pay", ANN))).startsWith("pay done");
            assertThat(status(host.ask(4, "pay", ANN))).isEqualTo("replayed");
            assertThat(host.effects()).containsExactly("pay ann");
        }
    }

    @Test
    void hintsCountOnlyWhereTheyAreTrusted() throws Exception {
        try (TestHost host = host()) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "find", ANN);
            assertThat(status(host.ask(2, "find", ANN))).isEqualTo("replayed");
        }
        McpOptions trusting = McpOptions.of("trusted").trustsHints(true);
        try (TestHost host = new TestHost(idem, trusting, folder)) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "find", ANN);
            assertThat(status(host.ask(2, "find", ANN))).isEmpty();
        }
        McpRules rules = McpRules.parse("{version: 1, tools: {find: {side_effect: write}}}", "rules");
        try (TestHost host =
                new TestHost(idem, McpOptions.of("ruled").trustsHints(true).rules(rules), folder)) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "find", ANN);
            assertThat(status(host.ask(2, "find", ANN))).isEqualTo("replayed");
        }
    }

    /** One, two, and one again: the file kept two, and the host was told that it has one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aToolThatSetsAValueWasAnsweredFromThePast(boolean hinted) throws Exception {
        McpRules rules = McpRules.parse("{version: 1, tools: {set: {repeat: run}}}", "rules");
        McpOptions options = McpOptions.of("fixture");
        try (TestHost host = new TestHost(idem, hinted ? options.trustsHints(true) : options.rules(rules), folder)) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "set", "{\"to\":\"one\"}");
            host.ask(2, "set", "{\"to\":\"two\"}");
            Message again = host.ask(3, "set", "{\"to\":\"one\"}");

            assertThat(status(again)).isEmpty();
            assertThat(host.effects()).containsExactly("set one", "set two", "set one");
        }
        McpRules replaying = McpRules.parse("{version: 1, tools: {set: {repeat: replay}}}", "rules");
        try (TestHost host =
                new TestHost(idem, McpOptions.of("ruled").trustsHints(true).rules(replaying), folder)) {
            host.send(LIST);
            host.answer(0);
            host.ask(1, "set", "{\"to\":\"one\"}");

            assertThat(status(host.ask(2, "set", "{\"to\":\"one\"}"))).isEqualTo("replayed");
        }
    }

    @Test
    void theHandleOfATaskIsReplayedAndOutlivesTheRepeatWindow() throws Exception {
        McpOptions options = McpOptions.of("fixture").repeatWindow(Duration.ofMillis(1));
        try (TestHost host = new TestHost(idem, options, folder)) {
            Message handle = host.ask(1, "task", ANN);
            Message again = host.ask(2, "task", ANN);

            assertThat(handle.result("resultType")).isEqualTo("task");
            assertThat(again.result("taskId")).isEqualTo(handle.result("taskId"));
            assertThat(host.effects()).containsExactly("task ann");
            assertThat(onlyEntry().times().expires())
                    .isAfter(onlyEntry().times().created().plus(Duration.ofDays(6)));
        }
    }
}
