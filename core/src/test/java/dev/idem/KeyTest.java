package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.internal.json.RandomJson;
import dev.idem.internal.json.Seeded;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTest {

    @Test
    void takesVisibleAscii() {
        String all = "!\"#$%&'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~";

        assertThat(Key.of(all).value()).isEqualTo(all);
        assertThat(Key.of("k")).hasToString("k").isEqualTo(Key.of("k"));
        assertThat(Key.of("x".repeat(255)).value()).hasSize(255);
    }

    @Test
    void refusesOtherLengthsInsteadOfCutting() {
        assertThatThrownBy(() -> Key.of(""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("A key has 1 to 255 characters, this one has 0;");
        assertThatThrownBy(() -> Key.of("x".repeat(256)))
                .hasMessageStartingWith("A key has 1 to 255 characters, this one has 256;")
                .hasMessageContaining("or an identity instead");
    }

    @ParameterizedTest
    @CsvSource(
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "a b,U+0020 at index 1",
                "abc\t,U+0009 at index 3",
                "é,U+00E9 at index 0",
                "x\u007f,U+007F at index 1",
                "ab😀,U+1F600 at index 2"
            })
    void refusesOtherCharacters(String given, String problem) {
        assertThatThrownBy(() -> Key.of(given))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(problem)
                .hasMessageContaining("or an identity instead");
    }

    /** Computed once with another program. These never change: stored keys depend on them. */
    @Test
    void derivesTheSameKeyForEver() {
        Map<String, Object> identity = Map.of("customer", "cus_1", "cents", 4200);

        assertThat(Key.derive("order-flow-abc123", "charge", identity))
                .hasToString("idem_ccd3e6b3287b27319b44519976925c63");
        assertThat(Key.derive("order-flow-abc123", "charge", identity, 2))
                .hasToString("idem_3f082a586560740c5d85e098ccef43cd");
        assertThat(Key.derive("", "op", null)).hasToString("idem_da18c2d11a4d32dd2bf5d2766721f5bd");
        assertThat(Key.derive("größe", "é😀", List.of(9007199254740993L, 0.1, "\n")))
                .hasToString("idem_33e9ab6f8758e1b2c36f0088a65fa1d1");
    }

    @Test
    void derivesTheSameKeyWhateverTheOrderAndTheTypes() {
        Map<String, Object> oneWay = new TreeMap<>(Map.of("a", 1, "b", 2.50));
        Map<String, Object> otherWay = new HashMap<>(Map.of("b", new BigDecimal("2.5"), "a", 1L));
        record Identity(short a, float b) {}

        assertThat(Key.derive("s", "o", oneWay))
                .isEqualTo(Key.derive("s", "o", otherWay))
                .isEqualTo(Key.derive("s", "o", new Identity((short) 1, 2.5f)));
    }

    @Test
    void derivesAnotherKeyForAnythingElse() {
        Set<Key> keys = new HashSet<>();
        keys.add(Key.derive("ab", "c", "d"));
        keys.add(Key.derive("a", "bc", "d"));
        keys.add(Key.derive("abc", "d", "d"));
        keys.add(Key.derive("", "abc", "d"));
        keys.add(Key.derive("ab", "c", List.of("d")));
        keys.add(Key.derive("ab", "c", null));
        keys.add(Key.derive("ab", "c", "null"));
        keys.add(Key.derive("ab", "c", 9007199254740992L));
        keys.add(Key.derive("ab", "c", 9007199254740993L));
        keys.add(Key.derive("ab", "c", "9007199254740993"));
        keys.add(Key.derive("ab", "c", "d", 2));
        keys.add(Key.derive("ab", "c", "d", 3));

        assertThat(keys).hasSize(12);
    }

    @Test
    void countsOccurrencesFromOne() {
        assertThat(Key.derive("s", "o", "i", 1)).isEqualTo(Key.derive("s", "o", "i"));
        assertThatThrownBy(() -> Key.derive("s", "o", "i", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Occurrences count from 1, not from 0");
    }

    @Test
    void refusesWhatCantBeDerivedFrom() {
        assertThatThrownBy(() -> Key.derive("s", "", 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Key.derive("\ud800", "o", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The scope holds half of a surrogate pair");
        assertThatThrownBy(() -> Key.derive("s", "\udc00", 1)).hasMessageStartingWith("The operation holds half");
        assertThatThrownBy(() -> Key.derive("s", "o", Map.of("x", new Object())))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$.x: java.lang.Object");
    }

    @Test
    void derivesOnlyKeysThatMayBeGiven() {
        Seeded.times(1_000, random -> {
            Key key =
                    Key.derive(RandomJson.string(random), "o" + RandomJson.string(random), RandomJson.value(random, 3));
            assertThat(key.value()).matches("idem_[0-9a-f]{32}");
            assertThat(Key.of(key.value())).isEqualTo(key);
        });
    }
}
