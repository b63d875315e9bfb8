package dev.idem.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.json.JsonException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    /** Computed once with another program. These never change: stored entries depend on them. */
    @Test
    void isTheSameForEver() {
        Map<String, Object> identity = Map.of("customer", "cus_1", "cents", 4200);

        assertThat(Fingerprint.of("charge", identity))
                .isEqualTo("6a52f7f36d3bc3494e337e52829034e9ece4b9273a554085e95b83e8c492ec17");
        assertThat(Fingerprint.of("charge", null))
                .isEqualTo("f93acbc933c91814fadf58677f2204b669568ca3f279af6690dda22edab3b08f");
        assertThat(Fingerprint.ofContent(Map.of("note", "thanks!")))
                .isEqualTo("1a804c9a4a8895e4e9e4abd2281de7f7afecd231603b3fefaadfb4999d8d0896");
        assertThat(Fingerprint.ofContent(null))
                .isEqualTo("0fc7dfd44527f00fcb3e82b15cf469d3aea716d9a74054df3e9067feace0ba8b");
    }

    @Test
    void differsByOperationIdentityAndPurpose() {
        assertThat(Set.of(
                        Fingerprint.of("a", "b"),
                        Fingerprint.of("a", "c"),
                        Fingerprint.of("b", "b"),
                        Fingerprint.of("", "b"),
                        Fingerprint.ofContent("b"),
                        Fingerprint.ofContent("c")))
                .hasSize(6)
                .allMatch(print -> print.matches("[0-9a-f]{64}"));
    }

    @Test
    void refusesWhatHasNoJsonForm() {
        assertThatThrownBy(() -> Fingerprint.of("o", Double.NaN)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Fingerprint.ofContent(new Object())).isInstanceOf(JsonException.class);
    }
}
