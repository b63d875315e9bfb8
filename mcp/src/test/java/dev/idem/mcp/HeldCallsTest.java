package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.State;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.Questions;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How a call that an error has left in doubt is released. */
class HeldCallsTest {
    private static final String ANN = "{\"to\":\"ann\"}";
    private static final String META = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"desk\"},"
            + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{}}}";

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

    private TestHost host(McpOptions options, String elicitation) throws Exception {
        TestHost host = new TestHost(idem, options, folder);
        host.send(
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                        + "\"capabilities\":" + elicitation
                        + ",\"clientInfo\":{\"name\":\"desk\",\"version\":\"1\"}}}");
        host.answer(0);
        return host;
    }

    private TestHost asking() throws Exception {
        return host(McpOptions.of("fixture"), "{\"elicitation\":{}}");
    }

    private TestHost ruled(String rule) throws Exception {
        McpRules rules = McpRules.parse("{version: 1, tools: {fail: {" + rule + "}}}", "rules");
        return new TestHost(idem, McpOptions.of("fixture").rules(rules), folder);
    }

    private Entry entry() {
        return idem.ledger()
                .as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries()
                .get(0);
    }

    private static List<?> blocks(Message response) {
        return (List<?>) response.result("content");
    }

    private static String answered(Message question, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + question.id() + ",\"result\":" + result + "}";
    }

    private static String accepted(String outcome, String why) {
        return "{\"action\":\"accept\",\"content\":" + Json.write(Map.of("outcome", outcome, "why", why)) + "}";
    }

    private static Message question(TestHost host) throws InterruptedException {
        return host.next(message -> message.is("elicitation/create"));
    }

    @Test
    void theFirstErrorDidNotSayThatTheCallIsHeld() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            Message failed = host.ask(1, "fail", ANN);

            assertThat(text(failed)).isEqualTo("it broke");
            assertThat(failed.result("isError")).isEqualTo(true);
            assertThat(blocks(failed)).hasSize(2);
            assertThat(String.valueOf(blocks(failed).get(1)))
                    .contains("is held now", "idem why " + entry().address().key());
        }
        try (TestHost host = asking()) {
            assertThat(String.valueOf(
                            blocks(host.ask(1, "fail", "{\"to\":\"bob\"}")).get(1)))
                    .contains("the user is then asked");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"failed_on: [\"no *\", \"it * broke\", \"* broke\"]", "on_error: failed"})
    void anErrorThatTheRulesKnowLockedTheCall(String rule) throws Exception {
        try (TestHost host = ruled(rule)) {
            assertThat(blocks(host.ask(1, "fail", ANN))).hasSize(1);
            host.ask(2, "fail", ANN);

            assertThat(host.effects()).containsExactly("fail ann", "fail ann");
        }
    }

    @Test
    void anErrorThatThePatternsDoNotKnowIsADoubt() throws Exception {
        try (TestHost host = ruled("failed_on: [broke, \"it\", \"it broke*down\"]")) {
            host.ask(1, "fail", ANN);

            assertThat(status(host.ask(2, "fail", ANN))).isEqualTo("in_doubt");
        }
        assertThatThrownBy(() -> ruled("failed_on: [\"*\"]"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("fits every error");
    }

    @Test
    void nobodyWasAskedAndTheCallStayedLocked() throws Exception {
        try (TestHost host = asking()) {
            host.ask(1, "fail", ANN);
            host.send(call(2, "fail", ANN));
            Message question = question(host);
            assertThat(String.valueOf(question.param("message"))).contains("'fail'", "to=ann");
            assertThat(String.valueOf(question.param("requestedSchema")))
                    .contains("required=[outcome, why]")
                    .doesNotContain("default");
            host.send(answered(question, accepted(Questions.RUN_IT, "not in the mailbox")));

            assertThat(text(host.answer(2))).isEqualTo("it broke");
            assertThat(host.effects()).containsExactly("fail ann", "fail ann");
            assertThat(host.lines("received")).noneMatch(line -> line.contains("not in the mailbox"));
        }
    }

    @Test
    void whatHappenedIsReplayedWithTheWordsOfThePerson() throws Exception {
        try (TestHost host = asking()) {
            host.ask(1, "fail", ANN);
            host.send(call(2, "fail", ANN));
            host.send(answered(question(host), accepted(Questions.HAPPENED, "seen in the mailbox")));

            assertThat(text(host.answer(2))).contains("The user says", "seen in the mailbox");
            assertThat(host.effects()).containsExactly("fail ann");
            assertThat(entry().state()).isEqualTo(State.COMPLETE);
            assertThat(entry().note())
                    .contains("user of desk, " + System.getProperty("user.name"), "seen in the mailbox");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"action":"decline"}
            {"action":"cancel"}
            {"action":"accept"}
            {"action":"accept","content":{"outcome":"it did not happen, run it"}}
            {"action":"accept","content":{"outcome":"it did not happen, run it","why":" "}}
            {"action":"accept","content":{"why":"seen"}}
            {"action":"accept","content":{"outcome":"leave it","why":"seen"}}
            {"action":"decline","content":{"outcome":"it did not happen, run it","why":"seen"}}
            """)
    void whoDoesNotSayBothLeavesTheDoubtAndIsNotAskedAgain(String result) throws Exception {
        try (TestHost host = asking()) {
            host.ask(1, "fail", ANN);
            host.send(call(2, "fail", ANN));
            host.send(answered(question(host), result));
            assertThat(status(host.answer(2))).isEqualTo("in_doubt");

            assertThat(status(host.ask(3, "fail", ANN))).isEqualTo("in_doubt");
            assertThat(host.putAside()).noneMatch(message -> message.is("elicitation/create"));
            assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
            assertThat(host.effects()).containsExactly("fail ann");
        }
    }

    @Test
    void aLateAnswerSettlesTheEntryAndRunsNothing() throws Exception {
        try (TestHost host = asking()) {
            host.ask(1, "fail", ANN);
            host.send(call(2, "fail", ANN));
            Message question = question(host);
            host.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
            host.send(answered(question, accepted(Questions.RUN_IT, "not there")));
            Eventually.isTrue("the entry is settled", () -> entry().state() != State.IN_DOUBT);
            // The end waits for the cancelled call, so that all it does is done.
            host.end();
            assertThat(host.effects()).containsExactly("fail ann");
            assertThat(entry().state()).isEqualTo(State.FAILED);
        }
        try (TestHost host = asking()) {
            host.ask(3, "fail", ANN);
            assertThat(host.effects()).containsExactly("fail ann", "fail ann");
        }
    }

    @Test
    void twoRepeatsAtOnceAreOneQuestion() throws Exception {
        try (TestHost host = asking()) {
            host.ask(1, "fail", ANN);
            host.send(call(2, "fail", ANN));
            host.send(call(3, "fail", ANN));
            host.send(answered(question(host), accepted(Questions.HAPPENED, "seen")));

            assertThat(text(host.answer(2))).isEqualTo(text(host.answer(3))).contains("The user says");
            assertThat(host.putAside()).noneMatch(message -> message.is("elicitation/create"));
        }
    }

    /** The person could say that it did not happen, while it is happening. */
    @Test
    void nobodyIsAskedWhileTheServerStillHasTheCall() throws Exception {
        McpRules rules = McpRules.parse("{version: 1, tools: {slow: {lease: 1s, time_limit: 1s, wait: 0s}}}", "rules");
        try (TestHost host = host(McpOptions.of("fixture").rules(rules), "{\"elicitation\":{\"form\":{}}}")) {
            host.send(call(1, "slow", ANN));
            host.awaitLine("effects", "slow ann");
            Eventually.isTrue("the doubt", () -> {
                Message again = host.ask(2, "slow", ANN);
                return status(again).equals("in_doubt");
            });

            assertThat(host.putAside()).noneMatch(message -> message.is("elicitation/create"));
            host.letGo();
            assertThat(text(host.answer(1))).startsWith("slow done");
        }
    }

    @ParameterizedTest
    @CsvSource({"true,{}", "true,{\"elicitation\":{\"url\":{}}}", "false,{\"elicitation\":{}}"})
    void hostsThatCanNotAskAndThoseThatMustNotAreNotBothered(boolean asks, String capabilities) throws Exception {
        try (TestHost host = host(McpOptions.of("fixture").asks(asks), capabilities)) {
            host.ask(1, "fail", ANN);

            assertThat(text(host.ask(2, "fail", ANN))).contains("Do not call it again");
            assertThat(host.putAside()).noneMatch(message -> message.is("elicitation/create"));
        }
    }

    private static String stateless(int id, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"fail\","
                + "\"arguments\":" + ANN + ",\"_meta\":{" + META + "}" + more + "}}";
    }

    @Test
    void theRevisionWithoutSessionsAsksByItsResultAndTheServerDoesNotSeeTheAnswer() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            host.send(stateless(1, ""));
            assertThat(String.valueOf(blocks(host.answer(1)).get(1))).contains("the user is then asked");
            host.send(stateless(2, ""));
            Message asked = host.answer(2);
            assertThat(asked.result("resultType")).isEqualTo("input_required");
            assertThat(Json.write(asked.result("inputRequests")))
                    .contains("{\"dev.idem/outcome\":", "\"method\":\"elicitation/create\"");
            String state = String.valueOf(asked.result("requestState"));
            String responses = ",\"inputResponses\":{\"dev.idem/outcome\":" + accepted(Questions.RUN_IT, "not there")
                    + "},\"requestState\":";

            host.send(stateless(3, responses + Json.write("dev.idem/outcome#7")));
            assertThat(status(host.answer(3))).as("about another attempt").isEqualTo("in_doubt");
            host.send(stateless(4, responses + Json.write(state)));
            assertThat(text(host.answer(4))).isEqualTo("it broke");

            assertThat(host.effects()).containsExactly("fail ann", "fail ann");
            assertThat(host.lines("received"))
                    .hasSize(2)
                    .noneMatch(line -> line.contains("inputResponses") || line.contains("requestState"));
        }
    }
}
