package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In later revisions every result has a type, and clients refuse a result without one. */
class ResultTypeTest {
    private static final String LATER =
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\","
                    + "\"arguments\":{\"to\":\"ann\"},\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}";

    @TempDir
    Path folder;

    @Test
    void aReplayHasTheTypeThatItsRevisionWants() throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open();
                TestHost host = new TestHost(idem, McpOptions.of("fixture"), folder)) {
            assertThat(host.ask(1, "pay", "{\"to\":\"ann\"}").result("resultType"))
                    .isNull();
            host.send(LATER);
            assertThat(host.answer(2).result("resultType")).isEqualTo("complete");
            assertThat(host.ask(3, "pay", "{\"to\":\"ann\"}").result("resultType"))
                    .isNull();
            assertThat(host.effects()).hasSize(1);
        }
    }
}
