package dev.idem.mcp;

import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Json;
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

/** Which calls are the same: those of one server and one task, and for how long. */
class CallScopesTest {
    private static final String ANN = "{\"to\":\"ann\"}";

    @TempDir
    Path folder;

    private Idem idem;

    @BeforeEach
    void open() {
        idem = Idem.builder().ledger("memory:").quiet().open();
    }

    @AfterEach
    void close() {
        idem.close();
    }

    private List<Entry> entries() {
        return idem.ledger()
                .as(Browsable.class)
                .orElseThrow()
                .browse(Query.all())
                .entries();
    }

    /** A call with other members of its params. */
    private static Message ask(TestHost host, int id, String members) throws Exception {
        host.send("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"pay\","
                + "\"arguments\":" + ANN + "," + members + "}}");
        return host.answer(id);
    }

    /** No ledger takes such a name. The host learns that nothing was sent. */
    @Test
    void aToolWithANameThatIsTooLongIsNotCalled() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            Message answer = host.ask(1, "p".repeat(1000), ANN);

            assertThat(new String(answer.bytes(), StandardCharsets.UTF_8))
                    .contains(
                            "the guard failed before it sent the call to the server: illegal argument: operation has 1000 characters")
                    .doesNotContain("java.", "Exception");
            assertThat(host.effects()).isEmpty();
        }
        assertThat(entries()).isEmpty();
    }

    /** A shadow changes nothing for the host, whatever is wrong with the guard. */
    @Test
    void aToolWithANameThatIsTooLongIsCalledInTheShadow() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        McpOptions options = McpOptions.of("fixture").shadow(true).told(told::add);
        try (TestHost host = new TestHost(idem, options, folder)) {
            assertThat(text(host.ask(1, "p".repeat(1000), ANN))).startsWith("pay done");

            assertThat(host.effects()).containsExactly("pay ann");
        }
        assertThat(told).anyMatch(line -> line.startsWith("the guard failed: "));
        assertThat(told).anyMatch(line -> line.endsWith("would have been stopped: guard_failed"));
    }

    /** A key or session that is none was taken for an absent one, so that calls of other tasks answered it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"_meta\":{\"dev.idem/session\":\" \"}",
                "\"_meta\":{\"dev.idem/session\":[\"one\"]}",
                "\"_meta\":{\"dev.idem/key\":\"\"}",
                "\"_meta\":{\"dev.idem/key\":true}",
                "\"idempotencyKey\":{}"
            })
    void aKeyOrSessionThatIsNoneIsRefused(String members) throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture").ownTools(true), folder)) {
            Message answer = ask(host, 1, members);

            assertThat(Json.write(answer.members().get("error")))
                    .contains("-32602", "send a text such as", "or leave the field out. Nothing ran");
            assertThat(host.effects()).isEmpty();
            assertThat(status(ask(host, 2, "\"_meta\":{\"dev.idem/session\":null,\"dev.idem/key\":7}")))
                    .isEmpty();
        }
        assertThat(entries()).hasSize(1);
        assertThatThrownBy(() -> McpOptions.of("fixture").session(" ")).hasMessageContaining("needs an id");
    }

    @Test
    void eachTaskHasItsOwnCalls() throws Exception {
        String task = "\"_meta\":{\"dev.idem/session\":\"%s\"}";
        String longest = "x".repeat(10_000);
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture").session("one"), folder)) {
            host.ask(1, "pay", ANN);

            assertThat(status(ask(host, 2, String.format(task, "two")))).isEmpty();
            assertThat(status(ask(host, 3, String.format(task, longest + "1")))).isEmpty();
            assertThat(status(ask(host, 4, String.format(task, longest + "2")))).isEmpty();
            assertThat(status(ask(host, 5, String.format(task, "one")))).isEqualTo("replayed");
            assertThat(status(ask(host, 6, String.format(task, longest + "2")))).isEqualTo("replayed");
            assertThat(host.effects()).hasSize(4);
        }
        assertThat(entries())
                .extracting(entry -> entry.address().scope())
                .contains("mcp:fixture:one", "mcp:fixture:two")
                .allMatch(scope -> scope.length() < 200);
    }

    @Test
    void noTaskCanNameTheScopeOfAnotherServer() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("a:b").session("c"), folder)) {
            host.ask(1, "pay", ANN);
        }
        try (TestHost host = new TestHost(idem, McpOptions.of("a").session("b:c"), folder)) {
            assertThat(status(host.ask(1, "pay", ANN))).isEmpty();
        }
    }

    @Test
    void aKeyInTheParamsIsAKey() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            ask(host, 1, "\"idempotencyKey\":\"k-1\"");

            assertThat(status(ask(host, 2, "\"idempotencyKey\":\"k-2\""))).isEmpty();
            assertThat(status(ask(host, 3, "\"idempotencyKey\":\"k-1\""))).isEqualTo("replayed");
        }
    }

    /** Without a task and a key, an equal call is soon meant as another one. */
    @Test
    void onlyACallWithoutATaskAndAKeyLapsesEarly() throws Exception {
        McpOptions options = McpOptions.of("fixture").repeatWindow(Duration.ofMinutes(5));
        try (TestHost host = new TestHost(idem, options, folder)) {
            host.ask(1, "pay", ANN);
            assertThat(entries()).allMatch(entry -> kept(entry).compareTo(Duration.ofMinutes(6)) < 0);
            ask(host, 2, "\"idempotencyKey\":\"k-1\"");
            ask(host, 3, "\"_meta\":{\"dev.idem/session\":\"one\"}");

            assertThat(entries())
                    .filteredOn(entry -> kept(entry).compareTo(Duration.ofDays(6)) > 0)
                    .hasSize(2);
        }
    }

    private static Duration kept(Entry entry) {
        return Duration.between(entry.times().created(), entry.times().expires());
    }

    @Test
    void anAgentFindsItsCallsUnderALongName() throws Exception {
        McpOptions options = McpOptions.of("fixture").session("x".repeat(1000)).ownTools(true);
        try (TestHost host = new TestHost(idem, options, folder)) {
            host.ask(1, "pay", ANN);

            assertThat(text(host.ask(2, "idem_status", "{\"tool\":\"pay\",\"arguments\":" + ANN + "}")))
                    .contains("has taken effect");
        }
    }

    @Test
    void anAgentSeesOnlyTheCallsOfItsTask() throws Exception {
        McpOptions options = McpOptions.of("fixture").ownTools(true);
        try (TestHost host = new TestHost(idem, options.session("one"), folder, "die")) {
            host.ask(1, "pay", ANN);
        }
        String key = "{\"key\":\"" + entries().get(0).address().key() + "\"}";
        try (TestHost host = new TestHost(idem, options.session("two"), folder)) {
            assertThat(text(host.ask(1, "idem_pending", "{}"))).isEqualTo("No call of this task runs or is in doubt.");
            assertThat(text(host.ask(2, "idem_why", key))).startsWith("No call of this task has the key");
        }
        try (TestHost host = new TestHost(idem, options.session("one"), folder)) {
            assertThat(text(host.ask(1, "idem_why", key))).contains("'pay'", "unknown whether it took effect");
        }
    }
}
