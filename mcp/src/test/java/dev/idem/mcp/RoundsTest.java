package dev.idem.mcp;

import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.mcp.guard.Message;
import dev.idem.spi.Failure;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.TrailLine;
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

/** A tool that acts and then asks for input. Only the request that brings the newest state may run it again. */
class RoundsTest {
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

    private TestHost host(String rule) throws Exception {
        McpRules rules = McpRules.parse("{version: 1, tools: {act-and-ask: {" + rule + "}}}", "rules");
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

    private static String round(int id, String to, String more) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"act-and-ask\","
                + "\"arguments\":{\"to\":\"" + to + "\"}" + more + "}}";
    }

    private static String bringing(String state, String input) {
        return ",\"requestState\":\"" + state + "\",\"inputResponses\":{\"sure\":\"" + input + "\"}";
    }

    private static Message ask(TestHost host, int id, String to, String more) throws Exception {
        host.send(round(id, to, more));
        return host.answer(id);
    }

    private static String said(Message answer) {
        return status(answer).isEmpty() ? String.valueOf(answer.result("resultType")) : status(answer);
    }

    /** The id of a request to the server, which the fixture makes its states of. */
    private static String state(Message asked) {
        assertThat(asked.result("resultType")).isEqualTo("input_required");
        return String.valueOf(asked.result("requestState"));
    }

    /** The guard took the question for "nothing happened": each repeated call acted again. */
    @Test
    void aCallWithoutTheStateDoesNotActAgain() throws Exception {
        try (TestHost host = host("")) {
            Message asked = ask(host, 1, "ann", "");
            String state = state(asked);
            assertThat(asked.result("content")).as("the answer is not changed").isNull();

            assertThat(said(ask(host, 2, "ann", ""))).isEqualTo("in_doubt");
            assertThat(said(ask(host, 3, "ann", bringing("other", "yes")))).isEqualTo("in_doubt");
            assertThat(said(ask(host, 4, "ann", ",\"inputResponses\":{\"sure\":\"yes\"}")))
                    .isEqualTo("in_doubt");

            assertThat(host.effects()).hasSize(1);
            assertThat(entry().failure().message())
                    .as("only a digest is kept")
                    .doesNotContain(" " + state)
                    .contains("idem_");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"side_effect: write", "side_effect: destructive", "on_doubt: halt", "wait: 0s"})
    void eachRoundRunsOnceAndTheirEndIsTheResult(String rule) throws Exception {
        try (TestHost host = host(rule)) {
            String first = state(ask(host, 1, "ann", ""));
            String second = state(ask(host, 2, "ann", bringing(first, "again")));
            assertThat(said(ask(host, 3, "ann", bringing(first, "again"))))
                    .as("a copy of the second round")
                    .isEqualTo("in_doubt");
            assertThat(said(ask(host, 4, "ann", ""))).isEqualTo("in_doubt");

            assertThat(text(ask(host, 5, "ann", bringing(second, "yes")))).startsWith("act-and-ask done");
            for (int id = 6; id <= 8; id++) {
                String more = List.of("", bringing(first, "again"), bringing(second, "yes"))
                        .get(id - 6);
                assertThat(said(ask(host, id, "ann", more))).isEqualTo("replayed");
            }
            assertThat(host.effects()).hasSize(3);
            assertThat(entry().state()).isEqualTo(State.COMPLETE);
        }
    }

    @ParameterizedTest
    @CsvSource({"side_effect: write, replayed", "side_effect: destructive, in_flight"})
    void twoCopiesOfARoundDoNotBothReachTheServer(String rule, String copy) throws Exception {
        try (TestHost host = host(rule)) {
            String state = state(ask(host, 1, "waits", ""));
            host.send(round(2, "waits", bringing(state, "again yes")));
            host.awaitLine("effects", "asked " + state + " {sure=again yes}");
            host.send(round(3, "waits", bringing(state, "again yes")));
            if (copy.equals("in_flight")) {
                assertThat(said(host.answer(3))).isEqualTo(copy);
            }
            host.letGo();

            assertThat(text(host.answer(2))).startsWith("act-and-ask done");
            if (copy.equals("replayed")) {
                assertThat(said(host.answer(3))).isEqualTo(copy);
            }
            assertThat(host.effects()).hasSize(2);
        }
    }

    /** Two guards with one ledger, as where two processes of a host take up one conversation. */
    @ParameterizedTest
    @ValueSource(strings = {"side_effect: write", "side_effect: destructive"})
    void manyCopiesAtTwoGuardsRunOnce(String rule) throws Exception {
        try (Idem other = Idem.builder()
                        .ledger("sqlite:" + folder.resolve("idem.db"))
                        .quiet()
                        .open();
                TestHost one = host(rule);
                TestHost two = new TestHost(
                        other,
                        McpOptions.of("fixture")
                                .rules(McpRules.parse("{version: 1, tools: {act-and-ask: {" + rule + "}}}", "rules")),
                        folder)) {
            for (int turn = 0; turn < 20; turn++) {
                String to = "ann" + turn;
                String state = state(ask(one, 100 * turn + 1, to, ""));
                for (int id = 2; id < 10; id++) {
                    one.send(round(100 * turn + id, to, bringing(state, "yes")));
                    two.send(round(100 * turn + id, to, bringing(state, "yes")));
                }
                for (int id = 2; id < 10; id++) {
                    one.answer(100 * turn + id);
                    two.answer(100 * turn + id);
                }
                assertThat(one.effects()).as("turn " + turn).hasSize(2 * turn + 2);
            }
        }
    }

    @Test
    void aRoundWhoseAnswerIsLostStaysInDoubt() throws Exception {
        try (TestHost host = host("")) {
            String state = state(ask(host, 1, "ann", ""));
            ask(host, 2, "ann", bringing(state, "die"));

            assertThat(said(ask(host, 3, "ann", bringing(state, "die")))).isEqualTo("in_doubt");
            assertThat(said(ask(host, 4, "ann", ""))).isEqualTo("in_doubt");
            assertThat(host.effects()).hasSize(2);
        }
    }

    /** The trail told it as the decision of somebody. */
    @Test
    void theBeginningOfARoundIsNoDecisionOfAPerson() throws Exception {
        try (TestHost host = host("")) {
            String first = state(ask(host, 1, "ann", ""));
            state(ask(host, 2, "ann", bringing(first, "again")));

            assertThat(idem.ledger().as(Historied.class).orElseThrow().trail(entry().address()))
                    .extracting(TrailLine::event)
                    .containsExactly("granted", "in_doubt", "in_doubt", "rerun", "in_doubt");
        }
    }

    /** What a round did not do says nothing about the rounds before it. */
    @Test
    void aRoundThatDidNothingMayComeAgainAndTheFirstOneMayNot() throws Exception {
        try (TestHost host = host("on_error: failed")) {
            String state = state(ask(host, 1, "ann", ""));
            assertThat(text(ask(host, 2, "ann", bringing(state, "fail")))).isEqualTo("nothing was done");

            assertThat(said(ask(host, 3, "ann", ""))).isEqualTo("in_doubt");
            assertThat(text(ask(host, 4, "ann", bringing(state, "yes")))).startsWith("act-and-ask done");
            assertThat(host.effects()).hasSize(3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-state", "same-state"})
    void whereTheStateDoesNotTellRoundsApartTheInputDoes(String to) throws Exception {
        String state = to.equals("no-state") ? "" : ",\"requestState\":\"s\"";
        try (TestHost host = host("")) {
            state(ask(host, 1, to, ""));
            assertThat(said(ask(host, 2, to, ""))).isEqualTo("in_doubt");
            assertThat(said(ask(host, 3, to, state + ",\"inputResponses\":{\"sure\":\"again\"}")))
                    .isEqualTo("input_required");
            assertThat(said(ask(host, 4, to, state + ",\"inputResponses\":{\"sure\":\"again\"}")))
                    .as("a copy")
                    .isEqualTo("in_doubt");
            assertThat(text(ask(host, 5, to, state + ",\"inputResponses\":{\"sure\":\"yes\"}")))
                    .startsWith("act-and-ask done");
            assertThat(host.effects()).hasSize(3);
        }
    }

    /** A copy of the second round that comes behind the third one acted again. */
    @ParameterizedTest
    @ValueSource(strings = {"no-state", "same-state"})
    void aLateCopyOfAnEarlierRoundDoesNotRun(String to) throws Exception {
        String state = to.equals("no-state") ? "" : ",\"requestState\":\"s\"";
        try (TestHost host = host("")) {
            state(ask(host, 1, to, ""));
            for (int round = 2; round < 5; round++) {
                String input = state + ",\"inputResponses\":{\"sure\":\"again " + round + "\"}";
                assertThat(said(ask(host, round, to, input))).isEqualTo("input_required");
            }
            for (int round = 2; round < 5; round++) {
                String input = state + ",\"inputResponses\":{\"sure\":\"again " + round + "\"}";
                assertThat(said(ask(host, 10 + round, to, input))).isEqualTo("in_doubt");
            }
            assertThat(host.effects()).hasSize(4);
        }
    }

    @Test
    void theStateOfAnotherSessionReleasesNothing() throws Exception {
        String elsewhere = ",\"_meta\":{\"dev.idem/session\":\"other\"}";
        try (TestHost host = host("")) {
            String state = state(ask(host, 1, "ann", ""));
            ask(host, 2, "ann", bringing(state, "again") + elsewhere);
            assertThat(host.effects())
                    .as("a call of its own, as with any state")
                    .hasSize(2);

            assertThat(said(ask(host, 3, "ann", ""))).isEqualTo("in_doubt");
            assertThat(text(ask(host, 4, "ann", bringing(state, "yes")))).startsWith("act-and-ask done");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"on_input_required: failed", "side_effect: read"})
    void aToolThatAsksBeforeItActsMayBeAskedAgain(String rule) throws Exception {
        try (TestHost host = host(rule)) {
            ask(host, 1, "ann", "");
            String state = state(ask(host, 2, "ann", ""));
            assertThat(text(ask(host, 3, "ann", bringing(state, "yes")))).startsWith("act-and-ask done");
            assertThat(host.effects()).hasSize(3);
        }
    }

    @Test
    void oneApprovalIsForAllRounds() throws Exception {
        try (TestHost host = host("approval: true")) {
            Message held = ask(host, 1, "ann", "");
            approve(held);
            String state = state(ask(host, 2, "ann", ""));
            String next = state(ask(host, 3, "ann", bringing(state, "again")));
            assertThat(text(ask(host, 4, "ann", bringing(next, "yes")))).startsWith("act-and-ask done");
            assertThat(host.effects()).hasSize(3);
        }
    }

    private void approve(Message held) {
        Object key = ((Map<?, ?>) held.result("_meta")).get("dev.idem/approval");
        var unused = Approvals.on(idem).approve(String.valueOf(key), "ann");
    }

    /** The guard died after it had taken up the round, and before or after it sent it. */
    @Test
    void aRoundWhoseGuardDiedIsNotMadeAgain() throws Exception {
        String state;
        try (TestHost host = host("")) {
            state = state(ask(host, 1, "ann", ""));
        }
        idem.ledger()
                .resolve(
                        entry().address(),
                        entry().fence(),
                        new Settlement.Doubtful(new Failure("next_round", "begun")));
        try (TestHost host = host("")) {
            assertThat(said(ask(host, 1, "ann", bringing(state, "yes")))).isEqualTo("in_doubt");
            assertThat(host.effects()).hasSize(1);
        }
    }
}
