package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.JsonException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Collection;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonBinderTest {

    private abstract static class TypeOf<T> {
        Type type() {
            return ((ParameterizedType) getClass().getGenericSuperclass()).getActualTypeArguments()[0];
        }
    }

    private record Receipt(String id, long cents, Optional<String> note) {}

    @SuppressWarnings("ArrayRecordComponent") // Read here, never compared.
    private record Page<T>(List<T> items, Map<String, Page<T>> others, T[] array, Optional<? extends T> best) {}

    private record Everything(
            boolean flag,
            char letter,
            byte small,
            short medium,
            int count,
            long big,
            float ratio,
            double exact,
            Integer boxed,
            BigInteger huge,
            BigDecimal price,
            String text,
            TimeUnit unit,
            UUID uuid,
            URI uri,
            Currency currency,
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Duration duration,
            Period period,
            OptionalInt maybeInt,
            OptionalLong maybeLong,
            OptionalDouble maybeDouble,
            Optional<Duration> maybe,
            Set<Integer> set,
            SortedSet<String> sorted,
            Map<TimeUnit, Long> byUnit,
            SortedMap<Integer, String> byNumber,
            Collection<Receipt> receipts,
            Object anything) {}

    record Even(int value) {
        Even {
            if (value % 2 != 0) {
                throw new IllegalArgumentException(value + " is odd");
            }
        }
    }

    private interface Unknown {}

    private static Object bind(String json, Type type) {
        return JsonBinder.bind(Json.parse(json), type);
    }

    @Test
    void readsBackEveryListedType() {
        Everything value = new Everything(
                true,
                '€',
                (byte) -128,
                (short) 300,
                -5,
                Long.MAX_VALUE,
                0.1f,
                0.1,
                7,
                BigInteger.TEN.pow(40),
                new BigDecimal("12345678901234567890.10"),
                "text",
                TimeUnit.DAYS,
                UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8"),
                URI.create("https://example.com"),
                Currency.getInstance("EUR"),
                Instant.parse("2026-01-02T03:04:05.600Z"),
                LocalDate.of(2026, 1, 2),
                LocalTime.of(3, 4),
                LocalDateTime.of(2026, 1, 2, 3, 4),
                OffsetDateTime.parse("2026-01-02T03:04:05+01:00"),
                ZonedDateTime.parse("2026-01-02T03:04:05+01:00[Europe/Paris]"),
                Duration.ofMillis(1500),
                Period.ofMonths(3),
                OptionalInt.of(1),
                OptionalLong.empty(),
                OptionalDouble.of(2.5),
                Optional.of(Duration.ofDays(1)),
                Set.of(3, 1),
                new TreeSet<>(List.of("b", "a")),
                Map.of(TimeUnit.HOURS, 1L),
                new TreeMap<>(Map.of(10, "ten", 9, "nine")),
                List.of(new Receipt("r", 1, Optional.of("n"))),
                Map.of("list", Arrays.asList(1L, 2.5, null, "x")));

        assertThat(JsonBinder.bind(Json.parseExact(Json.write(value)), Everything.class))
                .isEqualTo(value);
    }

    @Test
    void readsArrays() {
        assertThat(bind("[1,2]", int[].class)).isEqualTo(new int[] {1, 2});
        assertThat(bind("[[\"a\"],null]", String[][].class)).isEqualTo(new String[][] {{"a"}, null});
        assertThat(bind("\"AP9/\"", byte[].class)).isEqualTo(new byte[] {0, -1, 127});
        assertThat(bind("\"ab\"", char[].class)).isEqualTo(new char[] {'a', 'b'});
    }

    @Test
    void readsGenericTypes() {
        assertThat(bind("[{\"id\":\"a\",\"cents\":1}]", new TypeOf<List<Receipt>>() {}.type()))
                .isEqualTo(List.of(new Receipt("a", 1, Optional.empty())));
        assertThat(bind("{\"a\":1}", new TypeOf<Map<String, Integer>>() {}.type()))
                .isEqualTo(Map.of("a", 1));
        assertThat(bind("[1,null]", new TypeOf<Optional<List<Long>>>() {}.type()))
                .isEqualTo(Optional.of(Arrays.asList(1L, null)));
        assertThat(bind("null", new TypeOf<Optional<String>>() {}.type())).isEqualTo(Optional.empty());
        assertThat(bind("[[\"PT1S\"]]", new TypeOf<List<Duration>[]>() {}.type()))
                .isEqualTo(new List<?>[] {List.of(Duration.ofSeconds(1))});
    }

    @Test
    void readsRecordsWithTypeParameters() {
        String receipt = "{\"id\":\"a\",\"cents\":1}";
        String json = "{\"items\":[" + receipt + "],\"array\":[" + receipt + "],\"best\":" + receipt
                + ",\"others\":{\"next\":{\"items\":[" + receipt + "]}}}";
        Receipt expected = new Receipt("a", 1, Optional.empty());

        Page<?> page = (Page<?>) Objects.requireNonNull(bind(json, new TypeOf<Page<Receipt>>() {}.type()));

        assertThat(page.items()).isEqualTo(List.of(expected));
        assertThat(page.array()).isEqualTo(new Receipt[] {expected});
        assertThat(page.best()).isEqualTo(Optional.of(expected));
        assertThat(page.others().get("next").items()).isEqualTo(List.of(expected));
        assertThatThrownBy(() -> bind(json, Page.class))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("give the full generic type");
    }

    @Test
    void givesPlainValuesForObject() {
        assertThat(JsonBinder.bind(Json.parseExact("{\"a\":[1,1.5,1e400,null]}"), Object.class))
                .isEqualTo(Map.of("a", Arrays.asList(1L, 1.5, new BigDecimal("1e400"), null)));
        assertThat(bind("{\"a\":1}", Map.class)).isEqualTo(Map.of("a", 1L));
        assertThat(bind("[1]", List.class)).isEqualTo(List.of(1L));
    }

    @Test
    void toleratesMissingAndUnknownNamesOfARecord() {
        assertThat(bind("{\"cents\":1,\"surplus\":true}", Receipt.class))
                .isEqualTo(new Receipt(null, 1, Optional.empty()));
        assertThatThrownBy(() -> bind("{\"id\":\"a\"}", Receipt.class))
                .hasMessage("$.cents: is null or missing, but a long can't be null");
    }

    @ParameterizedTest
    @CsvSource({
        "int, 3, 3",
        "int, 3.0, 3",
        "int, 2147483647, 2147483647",
        "byte, -128, -128",
        "double, 3, 3.0",
        "double, 1e3, 1000.0",
        "float, 0.1, 0.1"
    })
    void convertsNumbersThatFit(String type, String json, String expected) {
        assertThat(bind(json, primitive(type))).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({"int, 2147483648", "int, 3.5", "byte, 128", "short, -32769", "long, 9223372036854775808", "float, 1e39"
    })
    void refusesNumbersThatDoNotFit(String type, String json) {
        assertThatThrownBy(() -> bind(json, primitive(type)))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$: the number")
                .hasMessageEndingWith("does not fit into " + type);
    }

    private static Class<?> primitive(String name) {
        return switch (name) {
            case "byte" -> byte.class;
            case "short" -> short.class;
            case "int" -> int.class;
            case "long" -> long.class;
            case "float" -> float.class;
            default -> double.class;
        };
    }

    @Test
    void namesThePlaceOfWhatDoesNotFit() {
        Type receipts = new TypeOf<Map<String, List<Receipt>>>() {}.type();

        assertThatThrownBy(() -> bind("{\"a\":[{\"id\":\"x\",\"cents\":\"many\"}]}", receipts))
                .isInstanceOf(JsonException.class)
                .hasMessage("$.a[0].cents: expected long but found the string \"many\"");
        assertThatThrownBy(() -> bind("{\"a\":{}}", receipts))
                .hasMessage("$.a: expected java.util.List but found an object");
        assertThatThrownBy(() -> bind("[]", receipts))
                .hasMessageStartingWith("$: expected java.util.Map but found an array");
        assertThatThrownBy(() -> bind("\"x\"", Receipt.class)).hasMessageContaining("but found the string \"x\"");
        assertThatThrownBy(() -> bind("1", String.class)).hasMessage("$: expected java.lang.String but found 1");
        assertThatThrownBy(() -> bind("\"true\"", boolean.class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> bind("\"1-1-1-1-1\"", UUID.class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> bind("\"tomorrow\"", Instant.class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> bind("\"FORTNIGHTS\"", TimeUnit.class)).hasMessageContaining("has no constant");
        assertThatThrownBy(() -> bind("\"ab\"", char.class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> bind("\"%\"", byte[].class)).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> bind("{\"x\":1}", new TypeOf<Map<Integer, Integer>>() {}.type()))
                .hasMessageStartingWith("$.x: the name is no Integer");
        assertThatThrownBy(() -> bind("{\"1\":1,\"01\":1}", new TypeOf<Map<Integer, Integer>>() {}.type()))
                .hasMessageContaining("another name gave the same key 1");
        assertThatThrownBy(() -> bind("[\"a\",null]", SortedSet.class)).hasMessage("$[1]: a sorted set holds no null");
        assertThatThrownBy(() -> bind("[\"a\",1]", SortedSet.class))
                .hasMessageStartingWith("$[1]: the elements of a sorted set must be comparable");
        assertThatThrownBy(() -> bind("{\"P1D\":1}", new TypeOf<SortedMap<Period, Integer>>() {}.type()))
                .hasMessageStartingWith("$.P1D: the keys of a sorted map must be comparable");
        assertThatThrownBy(() -> bind("[1,null]", int[].class)).hasMessageStartingWith("$[1]: is null");
    }

    @Test
    void forgetsThePlacesItHasLeft() {
        String rows = "[{\"a\":[[1]],\"b\":[]}" + ",{}".repeat(2000) + ",{\"x\":0}]";
        Type type = new TypeOf<List<Map<String, List<int[]>>>>() {}.type();

        assertThatThrownBy(() -> bind(rows, type)).hasMessage("$[2001].x: expected java.util.List but found 0");
        assertThat((List<?>) bind("[" + "{\"value\":2},".repeat(2000) + "null]", new TypeOf<List<Even>>() {}.type()))
                .hasSize(2001);
    }

    @Test
    void passesOnWhatARecordRefuses() {
        assertThatThrownBy(() -> bind("[{\"value\":3}]", Even[].class))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$[0]: the record")
                .hasMessageContaining("3 is odd")
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesTypesThatAreNotListed() {
        for (Class<?> type : List.of(Unknown.class, Thread.class, StringBuilder.class, Runnable.class)) {
            assertThatThrownBy(() -> bind("{\"class\":\"java.lang.Thread\"}", type))
                    .isInstanceOf(JsonException.class)
                    .hasMessageContaining("register a codec of your own");
        }
    }

    @Test
    void readsNullForReferencesAndVoid() {
        assertThat(bind("null", String.class)).isNull();
        assertThat(bind("null", Receipt.class)).isNull();
        assertThat(bind("null", void.class)).isNull();
        assertThat(bind("null", Void.class)).isNull();
        assertThat(bind("null", Object.class)).isNull();
    }

    @Test
    void givesContainersThatTheCallerMayChange() {
        @SuppressWarnings("unchecked")
        List<Object> list = (List<Object>) bind("[1]", List.class);
        list.add(2);

        assertThat(list).containsExactly(1L, 2);
    }

    @Test
    void readsBackFloatsBitForBit() {
        Seeded.times(20_000, random -> {
            float value = Float.intBitsToFloat(random.nextInt());
            if (Float.isFinite(value)) {
                assertThat(bind(Json.write(value), float.class)).isEqualTo(value);
            }
        });
    }
}
