package dev.idem.mcp;

import static dev.idem.mcp.TestHost.call;
import static dev.idem.mcp.TestHost.status;
import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls are sent in the order in which they were read, but one that waits for an answer holds up none after it. */
class WaitingCallsTest {
    private static final String ANN = "{\"to\":\"ann\"}";
    private static final String BOB = "{\"to\":\"bob\"}";

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

    private McpOptions ruled(String tools) {
        return McpOptions.of("fixture").rules(McpRules.parse("{version: 1, tools: {" + tools + "}}", "rules"));
    }

    @Test
    void whileAProbeAsks() throws Exception {
        String held = "{\"to\":\"in-the-probe\"}";
        McpOptions options =
                ruled("pay: {probe_grace: 0s, probe: {tool: find, arguments: {to: \"{to}\"}, found: /found}}");
        try (TestHost host = new TestHost(idem, options, folder, "die")) {
            host.ask(1, "pay", held);
            host.ask(2, "pay", BOB);
            host.send(call(3, "pay", held));
            host.awaitLine("reached", "find in-the-probe");

            assertThat(status(host.ask(4, "pay", BOB))).isEqualTo("replayed");
            host.letGo();
            assertThat(text(host.answer(3))).contains("It took effect earlier");
        }
    }

    @Test
    void whileTwoWaitForTheSameRead() throws Exception {
        try (TestHost host = new TestHost(idem, ruled("slow: {side_effect: read, retention: 1h}"), folder)) {
            host.send(call(1, "slow", ANN));
            host.awaitLine("effects", "slow ann");
            host.send(call(2, "slow", ANN));

            assertThat(text(host.ask(3, "pay", BOB))).startsWith("pay done");
            host.letGo();
            assertThat(text(host.answer(2))).isEqualTo(text(host.answer(1)));
            assertThat(host.effects()).containsExactly("slow ann", "pay bob");
        }
    }

    @Test
    void whileAGuardInTheShadowPassesADuplicate() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture").shadow(true), folder)) {
            host.send(call(1, "slow", ANN));
            host.awaitLine("effects", "slow ann");
            host.send(call(2, "slow", ANN));

            assertThat(text(host.ask(3, "pay", BOB))).startsWith("pay done");
            host.letGo();
            assertThat(text(host.answer(2))).startsWith("slow done");
            // The server makes slow calls beside the others.
            assertThat(host.effects()).containsExactlyInAnyOrder("slow ann", "slow ann", "pay bob");
        }
    }

    @Test
    void whenACallCanNotBeMade() throws Exception {
        try (TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            assertThat(host.ask(1, "p".repeat(300), ANN).isError()).isTrue();

            assertThat(text(host.ask(2, "pay", BOB))).startsWith("pay done");
            assertThat(host.effects()).containsExactly("pay bob");
        }
    }
}
