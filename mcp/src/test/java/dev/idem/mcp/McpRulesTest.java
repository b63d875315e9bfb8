package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.OnDoubt;
import dev.idem.SideEffect;
import dev.idem.mcp.guard.ToolRule;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class McpRulesTest {
    @Test
    void aRuleIsAPolicyAndAFewFields() {
        McpRules rules = McpRules.parse("""
                version: 1
                tools:
                  send_email:
                    side_effect: destructive
                    identity: [to, subject]
                    retention: 30d
                    on_error: failed
                    probe: {tool: search_sent, arguments: {query: "to:{to}", limit: 1}, found: /messages/0}
                """, "mail.yaml");
        ToolRule rule = rules.tools().of("send_email");

        assertThat(rule.policy().sideEffect()).isEqualTo(SideEffect.DESTRUCTIVE);
        assertThat(rule.policy().retention().keep()).isEqualTo(Duration.ofDays(30));
        assertThat(rule.policy().onDoubt()).isEqualTo(OnDoubt.PROBE);
        assertThat(rule.identity()).containsExactly("to", "subject");
        assertThat(rule.errorsAreFailures()).isTrue();
        assertThat(rule.probe().arguments()).containsEntry("limit", 1L);
        assertThat(rules.tools().of("other")).isEqualTo(ToolRule.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            version: 2                                                      | line 1: write 'version: 1'
            tools: {}                                                       | line 1: write 'version: 1'
            `version: 1\ntool: {}`                                          | line 2: 'tool' is not known
            `version: 1\ntools:\n  a: {retension: 3d}`                      | line 3: policy option 'retension' is not known
            `version: 1\ntools:\n  a: {retention: soon}`                    | line 3: retention: 'soon' is no duration
            `version: 1\ntools:\n  a: {side_effect: read, retention: 30d}`  | line 3: tool 'a'
            `version: 1\ntools:\n  a: {side_effect: read, approval: true}` | line 3: an approval is for calls
            `version: 1\ntools:\n  a: {staged: true}`                       | line 3: the guard writes no mark
            `version: 1\ntools:\n  a: {identity: to}`                       | line 3: write a list of arguments
            `version: 1\ntools:\n  a: {identity: [to, to]}`                 | line 3: an argument is named twice
            `version: 1\ntools:\n  a: {key: to}`                            | line 3: 'to' is no JSON pointer
            `version: 1\ntools:\n  a: {on_error: maybe}`                    | line 3: 'maybe' is not known; write failed or doubt
            `version: 1\ntools:\n  a: {probe: {tool: b}}`                   | line 3: a probe needs 'tool'
            `version: 1\ntools:\n  a: {identity: [to], probe: {tool: b, found: /x, arguments: {q: "{body}"}}}` | line 3: the probe asks with {body}
            `version: 1\ntools:\n  a: {}\n  a: {}`                          | line 4
            `version: 1\ntools:\n  a: {identity: &i [to]}\n  b: {identity: *i}` | aliases
            `version: 1\ntools: [`                                          | line 2
            """)
    void whatIsNotKnownIsAnErrorWithItsLine(String text, String problem) {
        assertThatThrownBy(() -> McpRules.parse(text.translateEscapes(), "mail.yaml"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mail.yaml")
                .hasMessageContaining(problem);
    }

    @Test
    void aPairOfSurrogatesIsReadAtAnyPlace() {
        for (int before = 980; before < 1030; before++) {
            String text = "# " + "x".repeat(before) + "\uD83D\uDCE7\nversion: 1\ntools: {pay: {side_effect: read}}\n";
            assertThat(McpRules.parse(text, "mail.yaml").tools().names()).containsExactly("pay");
        }
    }
}
