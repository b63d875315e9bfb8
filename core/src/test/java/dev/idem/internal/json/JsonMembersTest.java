package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.JsonException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonMembersTest {
    private static final int MOST = 3;

    private static JsonMembers only(String value) {
        JsonMembers members = new JsonMembers(("{\"m\":" + value + "}").getBytes(StandardCharsets.UTF_8), MOST);
        assertThat(members.next()).isEqualTo("m");
        return members;
    }

    /** Each value is an object: a text of some megabytes filled a small heap. */
    @ParameterizedTest
    @ValueSource(strings = {"[1,2,3,4]", "[[1],[2]]", "{\"a\":1,\"b\":2,\"c\":3,\"d\":4}", "[{},{},{},{}]"})
    void moreValuesThanAllowedAreRefused(String value) {
        assertThatThrownBy(() -> only(value).value())
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("at most 3");
    }

    @Test
    void asManyAsAllowedAreRead() {
        assertThat(only("[1,2,3]").value()).isEqualTo(List.of(1L, 2L, 3L));
    }

    /** The text of a value is all that is kept of it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1,2,3,4,5]",
                "[[1,2,3,4],[1,2,3,4]]",
                "[{\"a\":1,\"b\":2},{\"a\":1,\"b\":[1,2,3,4]},{\"c\":{\"d\":1}}]",
                "\"text\"",
                "1.50",
                "{}"
            })
    void aTextIsCheckedAndNotKept(String value) {
        JsonMembers members = only(value);
        assertThat(members.text()).isEqualTo(value);
        assertThat(members.next()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"[1,2,3,4,]", "[01]", "{\"a\":1,\"a\":2}", "[{\"b\":[1,{\"a\":1,\"a\":2}]}]", "{\"a\"}", "[1"})
    void aTextThatIsNoJsonIsRefused(String value) {
        assertThatThrownBy(() -> only(value).text()).isInstanceOf(JsonException.class);
    }

    /** Names are kept as long as their object is open, to find a second one. */
    @Test
    void anObjectWithMoreNamesThanAllowedIsRefusedAsATextToo() {
        assertThatThrownBy(() -> only("{\"a\":1,\"b\":2,\"c\":3,\"d\":4}").text())
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("at most 3");
    }

    /** Each name is compared with all before it: a million of them kept a processor busy for many minutes. */
    @Test
    void anObjectHasAtMostAThousandMembers() {
        StringBuilder many = new StringBuilder("{\"a\":1");
        for (int i = 0; i < 1000; i++) {
            many.append(",\"m").append(i).append("\":1");
        }
        JsonMembers members = new JsonMembers(many.append('}').toString().getBytes(StandardCharsets.UTF_8));
        assertThatThrownBy(() -> {
                    while (members.next() != null) {
                        members.value();
                    }
                })
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("at most 1000");
    }
}
