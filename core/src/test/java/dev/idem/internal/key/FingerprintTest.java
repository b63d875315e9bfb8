package dev.idem.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.JsonException;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    /** Computed once with another program. These never change: stored entries depend on them. */
    @Test
    void isTheSameForEver() {
        Map<String, Object> identity = Map.of("customer", "cus_1", "cents", 4200);

        assertThat(Fingerprint.of("", "charge", identity))
                .isEqualTo("962265d7c08b5fda8efab3cbf32c27002520bfa96d4b08428da85f5a3949f47b");
        assertThat(Fingerprint.of("shop", "charge", identity))
                .isEqualTo("9fa3a974062544a5c8d9a85e53b91a27a01931541d1a808828710c7e3dca6503");
        assertThat(Fingerprint.of("", "charge", identity, 2))
                .isEqualTo("03f6c615565dccebbcafdf82d6410497b361a10b433818da59834abb7f34a39f");
        assertThat(Fingerprint.of("", "charge", null))
                .isEqualTo("e02ca4236fbd488ce497dbe959d9fcd0ccc4288c1198ae5596fe5fdcd1083167");
        assertThat(Fingerprint.ofContent(Map.of("note", "thanks!")))
                .isEqualTo("1a804c9a4a8895e4e9e4abd2281de7f7afecd231603b3fefaadfb4999d8d0896");
        assertThat(Fingerprint.ofContent(null))
                .isEqualTo("0fc7dfd44527f00fcb3e82b15cf469d3aea716d9a74054df3e9067feace0ba8b");
    }

    @Test
    void differsByScopeOperationIdentityAndPurpose() {
        assertThat(Set.of(
                        Fingerprint.of("", "a", "b"),
                        Fingerprint.of("", "a", "c"),
                        Fingerprint.of("", "b", "b"),
                        Fingerprint.of("a", "", "b"),
                        Fingerprint.of("a", "b", "b"),
                        Fingerprint.of("", "", "b"),
                        Fingerprint.ofContent("b"),
                        Fingerprint.ofContent("c")))
                .hasSize(8)
                .allMatch(print -> print.matches("[0-9a-f]{64}"));
    }

    @Test
    void refusesWhatHasNoJsonForm() {
        assertThatThrownBy(() -> Fingerprint.of("", "o", Double.NaN)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Fingerprint.ofContent(new Object())).isInstanceOf(JsonException.class);
    }
}
