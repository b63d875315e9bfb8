package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Currency;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class JsonValuesTest {

    private record Charge(String customer, BigDecimal amount, Optional<String> note, List<Line> lines) {}

    private record Line(String sku, int count) {}

    record Failing(int value) {
        @Override
        public int value() {
            throw new IllegalStateException("no value today");
        }
    }

    private enum Color {
        RED {
            @Override
            public String toString() {
                return "not the name";
            }
        }
    }

    static Stream<Arguments> encodings() {
        return Stream.of(
                Arguments.of(null, "null"),
                Arguments.of(true, "true"),
                Arguments.of('x', "\"x\""),
                Arguments.of(CharBuffer.wrap("text"), "\"text\""),
                Arguments.of(Color.RED, "\"RED\""),
                Arguments.of(TimeUnit.DAYS, "\"DAYS\""),
                Arguments.of((byte) -1, "-1"),
                Arguments.of((short) 300, "300"),
                Arguments.of(new BigInteger("-5"), "-5"),
                Arguments.of(Optional.of(1), "1"),
                Arguments.of(Optional.empty(), "null"),
                Arguments.of(OptionalInt.of(1), "1"),
                Arguments.of(OptionalInt.empty(), "null"),
                Arguments.of(OptionalLong.of(2), "2"),
                Arguments.of(OptionalLong.empty(), "null"),
                Arguments.of(OptionalDouble.of(2.5), "2.5"),
                Arguments.of(OptionalDouble.empty(), "null"),
                Arguments.of(new byte[] {0, -1, 127}, "\"AP9/\""),
                Arguments.of(new char[] {'a', 'b'}, "\"ab\""),
                Arguments.of(new int[] {3, 1}, "[3,1]"),
                Arguments.of(new double[] {1.5}, "[1.5]"),
                Arguments.of(new boolean[] {true}, "[true]"),
                Arguments.of(new String[][] {{"b"}, {}}, "[[\"b\"],[]]"),
                Arguments.of(new ArrayDeque<>(List.of(2, 1)), "[2,1]"),
                Arguments.of(
                        UUID.fromString("6BA7B810-9dad-11d1-80b4-00c04fd430c8"),
                        "\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\""),
                Arguments.of(URI.create("https://example.com/a?b=c"), "\"https://example.com/a?b=c\""),
                Arguments.of(Currency.getInstance("EUR"), "\"EUR\""),
                Arguments.of(Instant.parse("2026-01-02T03:04:05.600Z"), "\"2026-01-02T03:04:05.600Z\""),
                Arguments.of(LocalDate.of(2026, 1, 2), "\"2026-01-02\""),
                Arguments.of(LocalTime.of(3, 4), "\"03:04\""),
                Arguments.of(LocalDateTime.of(2026, 1, 2, 3, 4, 5), "\"2026-01-02T03:04:05\""),
                Arguments.of(OffsetDateTime.parse("2026-01-02T03:04:05+01:00"), "\"2026-01-02T03:04:05+01:00\""),
                Arguments.of(
                        ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Paris]"),
                        "\"2026-01-02T03:04:05+01:00[Europe/Paris]\""),
                Arguments.of(Duration.ofSeconds(90), "\"PT1M30S\""),
                Arguments.of(Period.ofDays(14), "\"P14D\""));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void hasAnEncodingForEveryListedType(Object value, String expected) {
        assertThat(CanonicalJson.of(value)).isEqualTo(expected);
        assertThat(Json.write(value)).isEqualTo(expected);
    }

    @Test
    void writesARecordAsAnObjectOfItsComponents() {
        Charge charge = new Charge("c1", new BigDecimal("9.90"), Optional.empty(), List.of(new Line("s", 2)));

        assertThat(Json.write(charge))
                .isEqualTo(
                        "{\"customer\":\"c1\",\"amount\":9.90,\"note\":null,\"lines\":[{\"sku\":\"s\",\"count\":2}]}");
        assertThat(CanonicalJson.of(charge))
                .isEqualTo(
                        "{\"amount\":9.9,\"customer\":\"c1\",\"lines\":[{\"count\":2,\"sku\":\"s\"}],\"note\":null}");
    }

    @Test
    void writesARecordAsTheMapWithTheSameFields() {
        record Local(String b, int a) {}

        assertThat(CanonicalJson.of(new Local("x", 1))).isEqualTo(CanonicalJson.of(Map.of("a", 1L, "b", "x")));
    }

    @Test
    void ignoresTheOrderOfASet() {
        Set<Object> oneWay = new LinkedHashSet<>(List.of(10, 9, "b", "a", List.of(1)));
        Set<Object> otherWay = new LinkedHashSet<>(List.of(List.of(1), "a", 9, "b", 10));

        assertThat(CanonicalJson.of(oneWay))
                .isEqualTo(CanonicalJson.of(otherWay))
                .isEqualTo("[\"a\",\"b\",10,9,[1]]");
        assertThat(CanonicalJson.of(List.of(2, 1))).isEqualTo("[2,1]");
    }

    @Test
    void takesScalarsAsKeysOfAMap() {
        Map<Object, Object> map = new LinkedHashMap<>();
        map.put(Color.RED, 1);
        map.put(7, 2);
        map.put(2.50, 3);
        map.put(true, 4);
        map.put(LocalDate.of(2026, 1, 2), 5);
        map.put('c', 6);

        assertThat(Json.write(map)).isEqualTo("{\"RED\":1,\"7\":2,\"2.5\":3,\"true\":4,\"2026-01-02\":5,\"c\":6}");
    }

    @Test
    void refusesKeysThatHaveNoNameOrTheSame() {
        Map<Object, Object> nullKey = new LinkedHashMap<>();
        nullKey.put(null, 1);
        Map<Object, Object> same = new LinkedHashMap<>();
        same.put("1", 1);
        same.put(1, 2);

        assertThatThrownBy(() -> JsonValues.of(Map.of("a", nullKey)))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$.a: a map has a null key");
        assertThatThrownBy(() -> JsonValues.of(same)).hasMessageStartingWith("$[\"1\"]: two keys of the map");
        assertThatThrownBy(() -> JsonValues.of(Map.of(List.of(), 1)))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("a map has a key of java.util");
    }

    static Stream<Object> unlisted() {
        return Stream.of(
                new Object(),
                new AtomicInteger(1),
                new AtomicReference<>("x"),
                Path.of("x"),
                Locale.ROOT,
                Thread.currentThread(),
                Map.entry("a", 1),
                List.of(1).iterator(),
                String.class,
                new BigDecimal("1") {
                    private static final long serialVersionUID = 1L;
                });
    }

    @ParameterizedTest
    @MethodSource("unlisted")
    void refusesAnyOtherTypeInsteadOfUsingItsToString(Object value) {
        assertThatThrownBy(() -> JsonValues.of(Map.of("items", Arrays.asList(1, value))))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$.items[1]: " + value.getClass().getName())
                .hasMessageContaining("use a record, a Map, or convert it");
    }

    @Test
    void refusesAValueThatContainsItself() {
        List<Object> list = new ArrayList<>();
        list.add(list);
        Map<String, Object> map = new TreeMap<>();
        map.put("self", map);

        assertThatThrownBy(() -> JsonValues.of(list))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$[0][0][0][0][0][0][0][0][0][0] … [0]")
                .hasMessageContaining("nested more than 1000 levels deep");
        assertThatThrownBy(() -> JsonValues.of(map)).isInstanceOf(JsonException.class);
    }

    @Test
    void forgetsThePlacesItHasLeft() {
        List<Object> wide = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            wide.add(i % 2 == 0 ? new Line("s", i) : Map.of("list", List.of(i)));
        }
        wide.add(new Object());

        assertThatThrownBy(() -> JsonValues.of(wide)).hasMessageStartingWith("$[2000]: java.lang.Object");
    }

    @Test
    void saysWhichAccessorOfARecordFailed() {
        assertThatThrownBy(() -> JsonValues.of(List.of(new Failing(1))))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$[0].value: the accessor of the record")
                .hasMessageContaining("no value today")
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void givesPlainValues() {
        assertThat(JsonValues.of(new Line("s", 2))).isEqualTo(Map.of("sku", "s", "count", 2L));
        assertThat(((JsonException) catchRefusal(new Object())).path()).isEqualTo("$.x");
    }

    private static Throwable catchRefusal(Object value) {
        try {
            return new AssertionError(JsonValues.of(Map.of("x", value)));
        } catch (JsonException e) {
            return e;
        }
    }
}
