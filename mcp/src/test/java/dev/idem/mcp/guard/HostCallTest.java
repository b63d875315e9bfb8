package dev.idem.mcp.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HostCallTest {
    private static HostCall call(String meta) throws Message.Malformed {
        String line = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"pay\",\"_meta\":"
                + meta + "}}";
        return HostCall.outOfTurn(Message.ofHost(line.getBytes(StandardCharsets.UTF_8)));
    }

    /** Hosts may end a call whose progress goes back. */
    @Test
    void progressOnlyGrows() throws Exception {
        HostCall call = call("{\"progressToken\":7}");
        assertThat(new String(call.sign(), StandardCharsets.UTF_8)).contains("\"progressToken\":7", "0.0001");
        assertThat(new String(call.sign(), StandardCharsets.UTF_8)).contains("0.0002");

        assertThat(call.reports(0.0001)).isFalse();
        assertThat(call.reports(1)).isTrue();
        assertThat(call.sign()).as("the server gives signs itself").isNull();
    }

    @Test
    void aHostThatDoesNotWaitGetsNoSigns() throws Exception {
        HostCall left = call("{\"progressToken\":7}");
        left.detach();

        assertThat(left.sign()).isNull();
        assertThat(left.reports(1)).isFalse();
        assertThat(call("{}").sign()).as("without a token").isNull();
    }
}
