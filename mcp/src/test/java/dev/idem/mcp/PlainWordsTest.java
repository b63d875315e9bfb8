package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.mcp.guard.Message;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts for the model: it and its user know which call is meant and how it ended. */
class PlainWordsTest {
    private static final String ANN = "{\"to\":\"ann\"}";
    private static final String TIME = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d";

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

    @Test
    void pendingCallsWereShownWithoutTheirFieldsAndTimes() throws Exception {
        McpOptions options = McpOptions.of("fixture").ownTools(true);
        try (TestHost host = new TestHost(idem, options, folder, "die")) {
            Message doubt = host.ask(1, "pay", ANN);
            String key = text(doubt).replaceAll("(?s).*(idem_[0-9a-f]+).*", "$1");

            assertThat(text(host.ask(2, "idem_pending", "{}")))
                    .contains("'pay' (to=ann, key " + key)
                    .containsPattern("in_doubt since " + TIME);
            assertThat(text(host.ask(3, "idem_why", "{\"key\":\"" + key + "\"}")))
                    .contains("to=ann")
                    .containsPattern("in_doubt since " + TIME);
        }
    }

    @Test
    void aRunningCallDidNotSaySinceWhen() throws Exception {
        McpRules rules = McpRules.parse("{version: 1, tools: {slow: {side_effect: destructive}}}", "rules");
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture").rules(rules), folder)) {
            host.send(call(1, "slow", ANN));
            host.awaitLine("effects", "slow ann");

            Message second = host.ask(2, "slow", ANN);

            assertThat(status(second)).isEqualTo("in_flight");
            assertThat(text(second)).containsPattern("running right now, since " + TIME);
            host.letGo();
            host.answer(1);
        }
    }

    @Test
    void theLastDeathOfAServerWasToldLikeAnyOther() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture").restarts(0), folder, "die")) {
            assertThat(text(host.ask(1, "pay", ANN)))
                    .contains("with exit code 3. It has ended once and is not started again");
            assertThat(host.awaitExit()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerWithNeitherResultNorErrorWasToldAsAFaultOfTheGuard() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            assertThat(text(host.ask(1, "empty", ANN))).contains("neither a result nor an error");
            assertThat(status(host.ask(2, "empty", ANN))).isEqualTo("in_doubt");
            assertThat(host.effects()).containsExactly("empty ann");
        }
    }

    @Test
    void aReplayOfAToolOfWhichNothingIsDeclaredSaidNothingToTheModel() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            Message first = host.ask(1, "pay", ANN);
            Message second = host.ask(2, "pay", ANN);

            assertThat((List<?>) first.result("content")).hasSize(1);
            assertThat(text(second)).isEqualTo(text(first));
            assertThat((List<?>) second.result("content")).hasSize(2);
            assertThat(String.valueOf(((List<?>) second.result("content")).get(1)))
                    .containsPattern("made \\d+ seconds ago")
                    .contains("Nothing was run now", "make it after");
        }
        McpRules rules = McpRules.parse("{version: 1, tools: {pay: {side_effect: write}}}", "rules");
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture").rules(rules), folder)) {
            assertThat((List<?>) host.ask(1, "pay", ANN).result("content")).hasSize(1);
        }
    }
}
