package dev.idem.mcp;

import static dev.idem.mcp.TestHost.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.mcp.guard.Message;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The connection of a call is lost, and the server may still work on it. The guard took this for the end of the call: the
 * probe found no effect yet, and the call was made a second time.
 */
class LostConnectionTest extends HttpCase {
    private static final String FINDS_NOTHING = "probe: {tool: find, found: /nothing, absent: not_executed}";

    private void guardWith(String tool, String options) throws Exception {
        String rules = "version: 1\ntools:\n  " + tool + ": {" + options + ", " + FINDS_NOTHING + "}\n";
        guardWith(McpOptions.of("fixture").rules(McpRules.parse(rules, "rules")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"die", "cut", "oddLength", "broken", "seeOther", "status502", "status503", "status504"})
    void noProbeIsAskedWhileTheServerMayStillWork(String fault) throws Exception {
        guardWith(fault, "time_limit: 1h, probe_grace: 0s");

        Message first = ask(1, fault, ANN);
        Message second = ask(2, fault, ANN);

        assertThat(text(first)).doesNotContain("You may call it again");
        assertThat(text(second)).contains("unknown whether", "Do not call it again now", "3600 seconds");
        assertThat(server.effects).containsExactly(fault);
    }

    @Test
    void theUsualGraceIsForServersWhoseEndIsSeen() throws Exception {
        guardWith("die", "time_limit: 1h");

        assertThat(text(ask(1, "die", ANN))).contains("Do not call it again now", "3600 seconds");
    }

    @Test
    void theProbeIsAskedAfterTheTimeLimit() throws Exception {
        guardWith("die", "time_limit: 500ms");
        Eventually.isTrue("the probe is asked", () -> {
            ask(1, "die", ANN);
            return server.effects.contains("find");
        });

        assertThat(server.effects).startsWith("die", "find", "die");
    }

    /** A whole answer under the id of the call is the end of the call. */
    @Test
    void theProbeIsAskedAfterTheGraceWhereTheServerHasAnswered() throws Exception {
        guardWith("badAfterAll", "time_limit: 1h, probe_grace: 0s");
        ask(1, "badAfterAll", ANN);
        ask(2, "badAfterAll", ANN);

        assertThat(server.effects).containsExactly("badAfterAll", "find", "badAfterAll");
    }

    @Test
    void aProbeThatProvesAnAbsenceNeedsATimeLimit() {
        assertThatThrownBy(() -> guardWith("die", "probe_grace: 0s"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rules, line 3")
                .hasMessageContaining("time_limit: 10m");
    }
}
