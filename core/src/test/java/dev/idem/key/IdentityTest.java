package dev.idem.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.json.CanonicalJson;
import dev.idem.json.JsonException;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {
    private static final Map<String, Object> FIELDS = Map.of("customer", "cus_1", "cents", 4200, "note", "dürfen");

    /** They are gathered together; a key and a fingerprint that were made apart must be the same. */
    @ParameterizedTest
    @CsvSource({"'', charge, 1", "'', c, 2", "shop, charge, 1", "a longer scope than any tag, charge, 12"})
    void keyAndFingerprintTogetherAreWhatTheyAreApart(String scope, String operation, int occurrence) {
        Identity.Named named = Identity.of(FIELDS).named(scope, operation, occurrence);

        assertThat(named.fingerprint()).isEqualTo(Fingerprint.of(operation, FIELDS, occurrence));
        assertThat(named.key()).isEqualTo(Key.derive(scope, operation, FIELDS, occurrence));
        assertThat(named.key().value())
                .isNotEqualTo("idem_" + named.fingerprint().substring(0, 32));
    }

    /** Few names are sorted in another way than many. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 24, 25, 100})
    void namesAreSortedHoweverManyThereAre(int size) {
        Map<String, Object> fields = new HashMap<>();
        for (int i = 0; i < size; i++) {
            fields.put("n" + (i * 7919) % 1000, i);
        }
        String sorted = new TreeMap<>(fields)
                .entrySet().stream()
                        .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                        .collect(Collectors.joining(",", "{", "}"));

        assertThat(CanonicalJson.of(fields)).isEqualTo(sorted);
    }

    @Test
    void twoKeysWithOneNameAreRefusedHoweverManyThereAre() {
        Map<Object, Object> few = new HashMap<>(Map.of(1, "one", "1", "one"));
        Map<Object, Object> many = new HashMap<>(few);
        for (int i = 2; i < 40; i++) {
            many.put("n" + i, i);
        }

        assertThatThrownBy(() -> Identity.of(few))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("keep one");
        assertThatThrownBy(() -> Identity.of(many))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("keep one");
    }
}
