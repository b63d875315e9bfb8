package dev.idem.internal.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.JsonException;
import dev.idem.Key;
import dev.idem.internal.json.CanonicalJson;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityTest {
    private static final Map<String, Object> FIELDS = Map.of("customer", "cus_1", "cents", 4200, "note", "dürfen");

    @ParameterizedTest
    @CsvSource({"'', charge, 1", "'', c, 2", "shop, charge, 1", "a longer scope than any tag, charge, 12"})
    void keyAndFingerprintTogetherAreWhatTheyAreApart(String scope, String operation, int occurrence) {
        Identity.Named named = Identity.of(FIELDS).named(scope, operation, occurrence);

        assertThat(named.fingerprint()).isEqualTo(Fingerprint.of(scope, operation, FIELDS, occurrence));
        assertThat(named.key())
                .isEqualTo(Key.derive(scope, operation, FIELDS, occurrence).value());
        assertThat(named.key()).isEqualTo("idem_" + named.fingerprint().substring(0, 32));
    }

    /** Few names are sorted in another way than many, and remembered. */
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

    /** They pass a digest from one to the next. */
    @Test
    void manyThreadsAtOnceDeriveWhatOneAloneDerives() throws Exception {
        Map<String, Object> large = Map.of("text", "x".repeat(5_000));
        Identity.Named ofFields = Identity.of(FIELDS).named("shop", "charge", 1);
        Identity.Named ofLarge = Identity.of(large).named("shop", "charge", 2);
        CyclicBarrier gate = new CyclicBarrier(8);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Boolean>> derivers = Collections.nCopies(8, () -> {
                gate.await();
                boolean same = true;
                for (int i = 0; i < 2_000; i++) {
                    same &= Identity.of(FIELDS).named("shop", "charge", 1).equals(ofFields);
                    same &= Identity.of(large).named("shop", "charge", 2).equals(ofLarge);
                }
                return same;
            });
            for (Future<Boolean> same : threads.invokeAll(derivers)) {
                assertThat(same.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aRefusedScopeLeavesNothingBehindForTheNextKey() {
        Identity.Named before = Identity.of(FIELDS).named("shop", "charge", 1);

        assertThatThrownBy(() -> Identity.of(FIELDS).named("shop", "\uD800", 1)).hasMessageContaining("surrogate");

        assertThat(Identity.of(FIELDS).named("shop", "charge", 1)).isEqualTo(before);
    }
}
