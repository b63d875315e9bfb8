package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.mcp.guard.Message;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Query;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StdioProxyTest {
    private static final String ANN = "{\"to\":\"ann\"}";
    private static final String INITIALIZE = "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":"
            + "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

    @TempDir
    Path folder;

    private Idem idem;

    @BeforeEach
    void open() {
        idem = Idem.builder()
                .ledger("sqlite:" + folder.resolve("idem.db"))
                .largestResult(64 * 1024 * 1024)
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

    @Test
    void aRepeatedCallTakesEffectOnceAndGetsTheSameResult() throws Exception {
        try (TestHost host = host()) {
            Message first = host.ask(1, "pay", ANN);
            Message second = host.ask(2, "pay", "{ \"to\" : \"ann\" }");

            assertThat(status(first)).isEmpty();
            assertThat(status(second)).isEqualTo("replayed");
            assertThat(text(second)).isEqualTo(text(first)).startsWith("pay done");
            host.ask(3, "pay", "{\"to\":\"bob\"}");
            assertThat(host.effects()).containsExactly("pay ann", "pay bob");
        }
    }

    /** Bare, the host would send the call again after each of these. */
    @ParameterizedTest
    @ValueSource(strings = {"die", "cut"})
    void aServerThatDiesAfterItsEffectLeavesADoubtAndIsStartedAgain(String fault) throws Exception {
        try (TestHost host = host(fault)) {
            host.send(INITIALIZE);
            host.answer(0);
            Message first = host.ask(1, "pay", ANN);
            Message again = host.ask(2, "pay", ANN);

            assertThat(text(first)).contains("It is unknown whether it took effect");
            assertThat(text(again)).contains("Do not call it again");
            assertThat(again.result("isError")).isEqualTo(true);
            assertThat(text(host.ask(3, "pay", "{\"to\":\"bob\"}"))).startsWith("pay done");
            assertThat(host.effects()).containsExactly("pay ann", "pay bob");
            assertThat(host.lines("received").stream().filter(line -> line.contains("initialize")))
                    .hasSize(2);
        }
    }

    @Test
    void theSecondOfTwoAnswersIsDropped() throws Exception {
        try (TestHost host = host("twice")) {
            Message first = host.ask(1, "pay", ANN);
            Message second = host.ask(2, "pay", ANN);
            host.ask(3, "pay", "{\"to\":\"bob\"}");

            assertThat(text(second)).isEqualTo(text(first));
            assertThat(host.putAside()).isEmpty();
            assertThat(host.effects()).containsExactly("pay ann", "pay bob");
        }
    }

    @Test
    void aCallThatTheHostGaveUpGoesOnAndItsResultIsKept() throws Exception {
        try (TestHost host = host()) {
            host.send(call(5, "slow", ANN));
            host.awaitLine("effects", "slow ann");
            host.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":5}}");
            // Hosts use an id again.
            host.send(call(5, "slow", ANN));
            host.send("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}");
            host.answer(6);
            host.letGo();

            assertThat(text(host.answer(5))).startsWith("slow done");
            assertThat(host.effects()).containsExactly("slow ann");
            assertThat(host.lines("received")).noneMatch(line -> line.contains("cancelled"));
        }
    }

    @Test
    void aHostThatGoesAwayLeavesTheResultForTheNextOne() throws Exception {
        try (TestHost host = host("late")) {
            host.send(call(1, "pay", ANN));
            host.awaitLine("effects", "pay ann");
            host.letGo();
            assertThat(host.end()).isZero();
        }
        try (TestHost host = host()) {
            assertThat(status(host.ask(1, "pay", ANN))).isEqualTo("replayed");
            assertThat(host.effects()).containsExactly("pay ann");
        }
    }

    @Test
    void aHundredCallsAtOnceAreOneEffectAndAHundredEqualAnswers() throws Exception {
        try (TestHost host = host()) {
            for (int i = 1; i <= 100; i++) {
                host.send(call(i, "slow", ANN));
            }
            host.awaitLine("effects", "slow ann");
            host.letGo();
            List<String> answers = new ArrayList<>();
            for (int i = 1; i <= 100; i++) {
                answers.add(text(host.answer(i)));
            }

            assertThat(answers).allMatch(answers.get(0)::equals);
            assertThat(answers.get(0)).startsWith("slow done");
            assertThat(host.effects()).containsExactly("slow ann");
        }
    }

    @Test
    void callsReachTheServerInTheirOrder() throws Exception {
        try (TestHost host = host()) {
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                host.send(call(i, "pay", "{\"to\":\"" + i + "\"}"));
                expected.add("pay " + i);
            }
            for (int i = 0; i < 200; i++) {
                host.answer(i);
            }

            assertThat(host.effects()).containsExactlyElementsOf(expected);
        }
    }

    @Test
    void aCallThatWaitsBlocksNoLaterMessage() throws Exception {
        try (TestHost host = host()) {
            host.send(call(1, "slow", ANN));
            host.awaitLine("effects", "slow ann");
            host.send(call(2, "slow", ANN));

            assertThat(text(host.ask(3, "pay", ANN))).startsWith("pay done");
            host.letGo();
            assertThat(text(host.answer(2))).isEqualTo(text(host.answer(1)));
        }
    }

    @Test
    void allRoundsOfACallThatAsksForInputAreOneCall() throws Exception {
        try (TestHost host = host()) {
            Message asked = host.ask(1, "ask", ANN);
            assertThat(asked.result("resultType")).isEqualTo("input_required");
            host.send("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"ask\","
                    + "\"arguments\":{\"to\":\"ann\"},\"requestState\":" + Json.write(asked.result("requestState"))
                    + ",\"inputResponses\":{\"a\":1}}}");
            assertThat(text(host.answer(2))).startsWith("ask done");

            assertThat(status(host.ask(3, "ask", ANN))).isEqualTo("replayed");
            assertThat(host.effects()).containsExactly("ask ann");
        }
    }

    @Test
    void anAnswerThatCanNotBeReadIsADoubtAndHangsNobody() throws Exception {
        try (TestHost host = host()) {
            assertThat(text(host.ask(1, "garble", ANN))).contains("It is unknown whether it took effect");
            assertThat(text(host.ask(2, "garble", ANN))).contains("Do not call it again");
            assertThat(host.effects()).containsExactly("garble ann");
        }
    }

    @Test
    void theResultThatAPersonGaveIsTheAnswer() throws Exception {
        try (TestHost host = host("die")) {
            host.ask(1, "pay", ANN);
            Entry doubt = idem.ledger()
                    .as(Browsable.class)
                    .orElseThrow()
                    .browse(Query.all())
                    .entries()
                    .get(0);
            idem.resolve(doubt).by("ann").because("seen in the bank statement").asComplete(Map.of("receipt", 7));
            Message answer = host.ask(2, "pay", ANN);

            assertThat(text(answer)).isEqualTo("{\"receipt\":7}");
            assertThat(status(answer)).isEqualTo("replayed");
            assertThat(host.effects()).containsExactly("pay ann");
        }
    }

    @Test
    void aKeyOfTheHostComesFirstAndAnotherCallWithItIsAConflict() throws Exception {
        String keyed = "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\","
                + "\"arguments\":{\"to\":\"%s\"},\"_meta\":{\"dev.idem/key\":\"%s\"}}}";
        try (TestHost host = host()) {
            host.send(String.format(keyed, 1, "ann", "k-1"));
            host.answer(1);
            host.send(String.format(keyed, 2, "ann", "k-2"));
            host.answer(2);
            host.send(String.format(keyed, 3, "bob", "k-1"));

            assertThat(status(host.answer(3))).isEqualTo("conflict");
            assertThat(host.effects()).containsExactly("pay ann", "pay ann");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}]",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}",
                "{\"jsonrpc\":\"2.0\",\"x\":\r{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"}\r,\"id\":1,"
                        + "\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\"} {}",
                "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":7}",
                "pay",
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{},\"Method\":\"tools/call\",\"params\":{\"name\":\"pay\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"find\",\"Name\":\"pay\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\",\"arguments\":[]}}"
            })
    void malformedMessagesNeverReachTheServer(String line) throws Exception {
        try (TestHost host = host()) {
            host.send(line);
            assertThat(host.next(Message::isError).isError()).isTrue();
            // Without an id a call has no answer.
            host.send("{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"pay\",\"arguments\":{}}}");
            host.send("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
            host.answer(9);

            assertThat(host.lines("received")).containsExactly("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
        }
    }

    @Test
    void otherMessagesPassByteForByte() throws Exception {
        Random random = new Random(7);
        List<String> sent = new ArrayList<>();
        try (TestHost host = host()) {
            for (int i = 0; i < 10_000; i++) {
                String extra = " ".repeat(random.nextInt(3)) + "\"n\": 1." + random.nextInt(1000) + "0e"
                        + random.nextInt(9) + ",\"u\" :\"\\u00" + (10 + random.nextInt(80)) + "é\"";
                String line = random.nextInt(3) > 0
                        ? "{\"method\":\"x/" + random.nextInt() + "\",\"jsonrpc\":\"2.0\"," + extra + "}"
                        : "{ \"jsonrpc\":\"2.0\", \"result\":{" + extra + "},\"id\":\"" + random.nextInt() + "\"}";
                sent.add(line);
                host.send(line);
            }
            host.send("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");
            host.answer(9);
            sent.add("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}");

            assertThat(host.lines("received")).containsExactlyElementsOf(sent);
        }
    }

    @Test
    void aResultOfTwentyMegabytesIsKept() throws Exception {
        try (TestHost host = host()) {
            Message first = host.ask(1, "big", "{}");
            Message second = host.ask(2, "big", "{}");

            assertThat(text(first).length()).isEqualTo(20_000_000);
            assertThat(text(second).equals(text(first))).isTrue();
            assertThat(status(second)).isEqualTo("replayed");
        }
    }

    @Test
    void aHostWithAProgressTokenGetsSignsOfLife() throws Exception {
        McpOptions options = McpOptions.of("fixture");
        try (TestHost host = new TestHost(idem, options, Duration.ofMillis(20), folder, TestHost.command(folder))) {
            host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"slow\","
                    + "\"arguments\":{\"to\":\"ann\"},\"_meta\":{\"progressToken\":\"t-1\"}}}");
            double one = progress(host.next(message -> message.is("notifications/progress")));
            double two = progress(host.next(message -> message.is("notifications/progress")));
            host.letGo();

            assertThat(two).isGreaterThan(one);
            assertThat(text(host.answer(1))).startsWith("slow done");
            assertThat(host.lines("received")).noneMatch(line -> line.contains("t-1"));
        }
    }

    private static double progress(Message message) {
        assertThat(message.param("progressToken")).isEqualTo("t-1");
        return ((Number) message.param("progress")).doubleValue();
    }

    @Test
    void anAgentCanAskWhatItHasDone() throws Exception {
        McpOptions options = McpOptions.of("fixture").session("task-7").ownTools(true);
        try (TestHost host = new TestHost(idem, options, folder, "die")) {
            host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
            assertThat(host.answer(1).result("tools").toString()).contains("idem_status", "idem_why", "slow");
            host.ask(2, "pay", ANN);

            assertThat(text(host.ask(3, "idem_pending", "{}"))).contains("'pay'", "unknown whether it took effect");
            assertThat(text(host.ask(4, "idem_status", "{\"tool\":\"pay\",\"arguments\":" + ANN + "}")))
                    .contains("unknown whether it took effect");
            assertThat(text(host.ask(5, "idem_status", "{\"tool\":\"pay\",\"arguments\":{\"to\":\"bob\"}}")))
                    .contains("was not called");
        }
    }

    @Test
    void aRecordThatCanNotBeReadIsToldAndHangsNoAgent() throws Exception {
        McpOptions options = McpOptions.of("fixture").session("task-7").ownTools(true);
        try (TestHost host = new TestHost(idem, options, folder)) {
            host.ask(1, "pay", ANN);
            idem.ledger().close();

            Message answer = host.ask(2, "idem_pending", "{}");

            assertThat(answer.result("isError")).isEqualTo(true);
            assertThat(text(answer)).contains("can't be read now");
        }
    }

    @Test
    void aHostThatHasSentAllStillGetsItsAnswers() throws Exception {
        TestHost host = host();
        host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
        host.send(TestHost.call(2, "slow", ANN));
        host.send(TestHost.call(3, "pay", ANN));
        host.closeInput();
        host.letGo();

        assertThat(host.answer(1).result("tools")).isNotNull();
        assertThat(text(host.answer(2))).startsWith("slow done");
        assertThat(text(host.answer(3))).startsWith("pay done");
        assertThat(host.awaitExit()).isZero();
    }

    /** The guard waited a day for the call, and its host had to kill it. */
    @Test
    void theGuardEndsSoonAfterItsHostThoughACallRuns() throws Exception {
        TestHost host = new TestHost(
                idem,
                McpOptions.of("fixture"),
                Duration.ofSeconds(20),
                Duration.ofMillis(50),
                folder,
                TestHost.command(folder));
        host.send(TestHost.call(1, "slow", ANN));
        host.awaitLine("effects", "slow ann");

        assertThat(host.end()).isZero();
        assertThat(text(host.answer(1))).contains("unknown whether it took effect");
    }

    @Test
    void aServerThatCanNotStayIsGivenUp() throws Exception {
        McpOptions options = McpOptions.of("fixture").restarts(0);
        TestHost host =
                new TestHost(idem, options, Duration.ofSeconds(20), folder, List.of("sh", "-c", "read line; exit 3"));
        host.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");

        assertThat(host.answer(1).isError()).isTrue();
        assertThat(host.awaitExit()).isEqualTo(1);
    }
}
