package dev.idem.mcp.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the lists of a server prove about a call. */
class ListedToolsTest {
    private static final String PAY = "{\"name\":\"pay\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
            + "{\"to\":{\"type\":\"string\"}},\"required\":[\"to\"]}}";
    private static final String FIND = "{\"name\":\"find\"}";

    private final ListedTools listed = new ListedTools();

    private static Message message(String members) {
        Message message =
                Message.ofServer(("{\"jsonrpc\":\"2.0\",\"id\":1," + members + "}").getBytes(StandardCharsets.UTF_8));
        assertThat(message).isNotNull();
        return message;
    }

    private void page(String params, String result) {
        shown("", params, result);
    }

    private void shown(String audience, String params, String result) {
        listed.learn(
                audience, message("\"method\":\"tools/list\",\"params\":" + params), message("\"result\":" + result));
    }

    private boolean rulesOut(String tool, String arguments) {
        Message call = message("\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool + "\"" + arguments + "}");
        return listed.shownTo(HostCall.outOfTurn(call)).rulesOut(call);
    }

    @Test
    void argumentsThatDoNotFitAreRuledOut() {
        page("{}", "{\"tools\":[" + PAY + "]}");

        assertThat(rulesOut("pay", ",\"arguments\":{\"to\":\"ann\"}")).isFalse();
        assertThat(rulesOut("pay", ",\"arguments\":{\"to\":7}")).isTrue();
        assertThat(rulesOut("pay", "")).isTrue();
    }

    @Test
    void aToolIsNotThereOnceAllPagesWereSeen() {
        page("{}", "{\"tools\":[" + FIND + "],\"nextCursor\":\"2\"}");
        assertThat(rulesOut("send", "")).isFalse();

        page("{\"cursor\":\"2\"}", "{\"tools\":[" + PAY + "]}");
        assertThat(rulesOut("send", "")).isTrue();
        assertThat(rulesOut("find", "")).isFalse();

        page("{}", "{\"tools\":[" + FIND + "],\"nextCursor\":\"2\"}");
        assertThat(rulesOut("pay", "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"cursor\":\"3\"}", "{\"cursor\":2}"})
    void aPageOfAnotherListProvesNothing(String params) {
        page("{}", "{\"tools\":[" + FIND + "],\"nextCursor\":\"2\"}");
        page(params, "{\"tools\":[" + PAY + "]}");

        assertThat(rulesOut("send", "")).isFalse();
    }

    /** Such a schema may say anything about the arguments. */
    @ParameterizedTest
    @ValueSource(
            strings = {"{\"$ref\":\"https://schemas.example/pay\"}", "{\"$ref\":\"#/nowhere\"}", "{\"$schema\":\"x:y\"}"
            })
    void aSchemaThatCanNotBeUsedRulesOutNothing(String schema) {
        page("{}", "{\"tools\":[{\"name\":\"pay\",\"inputSchema\":" + schema + "}]}");

        assertThat(rulesOut("pay", ",\"arguments\":{\"to\":7}")).isFalse();
    }

    @Test
    void aListThatIsForgottenRulesOutNothing() {
        page("{}", "{\"tools\":[]}");
        assertThat(rulesOut("pay", "")).isTrue();

        listed.forget();
        assertThat(rulesOut("pay", "")).isFalse();
    }

    @Test
    void whatManyAreShownIsKeptOnceAndNotWithoutLimit() {
        for (int i = 0; i < 100; i++) {
            shown("ann " + i, "{}", "{\"tools\":[" + PAY + "]}");
        }
        assertThat(listed.size()).isEqualTo(1);

        for (int i = 0; i < 100; i++) {
            shown("bob " + i, "{}", "{\"tools\":[{\"name\":\"tool " + i + "\"}]}");
        }
        assertThat(listed.size()).isLessThan(70);
    }
}
