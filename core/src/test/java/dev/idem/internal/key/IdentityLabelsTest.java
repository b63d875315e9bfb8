package dev.idem.internal.key;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityLabelsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://ann:hunter2@shop.example/orders",
                "see postgres://ann:hun/ter2@db.example/shop please",
                "https://shop.example/orders?access_token=abcdef",
                "4111 1111 1111 1111",
                "pay with 5500-0000-0000-0004, not the other one",
                "{\"password\": \"hunter2\"}",
                "Bearer abcdefgh.ijklmnop",
                "the key is AKIAABCDEFGHIJKLMNOP and a text that goes on for longer than a label may be",
                "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2ln"
            })
    void aValueThatLooksLikeASecretWasKeptUnderAHarmlessName(String secret) {
        assertThat(Identity.of(Map.of("to", "ann", "note", secret)).labels()).isEqualTo(Map.of("to", "ann"));
        assertThat(Identity.of(secret).labels()).isEmpty();
    }

    @Test
    void theNumberOfACardWasKeptAsANumber() {
        assertThat(Identity.of(Map.of("to", 4111111111111111L)).labels()).isEmpty();
    }

    @Test
    void aLongValueTookMinutes() {
        String label =
                Identity.of(Map.of("text", "x".repeat(3_000_000))).labels().get("text");

        assertThat(label).isEqualTo("x".repeat(64) + "…");
    }

    @Test
    void valuesByWhichAPersonFindsACallAreKept() {
        for (Object value : List.of(
                "https://shop.example:8443/@ann/orders?to=ann@shop.example",
                "ann@shop.example",
                "2026-11-18T02:00:00Z",
                1795000000000L,
                "4111 1111 1111 1112",
                "token of thanks",
                "git@forge.example:ann/shop.git",
                true)) {
            assertThat(Identity.of(Map.of("to", value)).labels())
                    .as("%s", value)
                    .isEqualTo(Map.of("to", String.valueOf(value)));
        }
    }
}
