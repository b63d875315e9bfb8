package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTest {

    @Test
    void sortsNamesByUtf16Units() {
        // Java's string order; by code points the last two would change places.
        assertThat(CanonicalJson.ofText(
                        "{\"\ufb33\":1,\"😀\":2,\"é\":3,\"a\":4,\"A\":5,\"10\":6,\"1\":7,\"\":8,\"\\r\":9}"))
                .isEqualTo("{\"\":8,\"\\r\":9,\"1\":7,\"10\":6,\"A\":5,\"a\":4,\"é\":3,\"😀\":2,\"\ufb33\":1}");
    }

    @Test
    void escapesOnlyWhatMustBe() {
        assertThat(CanonicalJson.ofText(
                        "\"\\u0000\\u001F\\u007f\\u0080\\u2028\\/\\u0008\\u0009\\u000a\\u000c\\u000d\\u0022\\u005c\""))
                .isEqualTo("\"\\u0000\\u001f\u007f\u0080\u2028/\\b\\t\\n\\f\\r\\\"\\\\\"");
    }

    @Test
    void tellsTwoToThe53FromItsSuccessor() {
        assertThat(CanonicalJson.of(9007199254740992L)).isEqualTo("9007199254740992");
        assertThat(CanonicalJson.of(9007199254740993L)).isEqualTo("9007199254740993");
        assertThat(CanonicalJson.ofText("9007199254740993")).isEqualTo("9007199254740993");
        assertThat(CanonicalJson.of(Long.MAX_VALUE)).isEqualTo("9223372036854775807");
        assertThat(CanonicalJson.of(Long.MIN_VALUE)).isEqualTo("-9223372036854775808");
    }

    @Test
    void writesTheSameForEqualNumbersOfAnyType() {
        for (Object one :
                List.of((byte) 1, (short) 1, 1, 1L, 1.0, 1f, BigInteger.ONE, BigDecimal.ONE, new BigDecimal("1.000"))) {
            assertThat(CanonicalJson.of(one)).isEqualTo("1");
        }
        for (Object half : List.of(0.5, 0.5f, new BigDecimal("0.5"), new BigDecimal("0.50"), new BigDecimal("5E-1"))) {
            assertThat(CanonicalJson.of(half)).isEqualTo("0.5");
        }
        assertThat(CanonicalJson.of(new BigDecimal("1E+30")))
                .isEqualTo(CanonicalJson.of(1e30))
                .isEqualTo("1e+30");
        assertThat(CanonicalJson.of(BigInteger.TEN.pow(30))).isEqualTo("1e+30");
        assertThat(CanonicalJson.of(BigInteger.TEN.pow(21))).isEqualTo("1e+21");
        assertThat(CanonicalJson.of(BigInteger.TEN.pow(20))).isEqualTo(CanonicalJson.of(1e20));
        assertThat(CanonicalJson.of(new BigDecimal("0.0000001"))).isEqualTo("1e-7");
    }

    @ParameterizedTest
    @CsvSource({
        "0.10000000000000000001, 0.10000000000000000001",
        "0.100000000000000000010, 0.10000000000000000001",
        "-1.00000000000000000000000000000001E-9, -0.00000000100000000000000000000000000000001",
        "1000000000000000000000000000001, 1000000000000000000000000000001",
        "-1234567890123456789012.50, -1234567890123456789012.5"
    })
    void writesDigitForDigitWhatADoubleCantHold(BigDecimal value, String expected) {
        assertThat(CanonicalJson.of(value)).isEqualTo(expected);
    }

    @Test
    void writesIntegersBeyondTheRangeOfDoubles() {
        BigInteger huge = BigInteger.TEN.pow(400).add(BigInteger.ONE);

        assertThat(CanonicalJson.of(huge)).isEqualTo(huge.toString());
        assertThat(CanonicalJson.of(new BigDecimal("1e400"))).isEqualTo("1" + "0".repeat(400));
    }

    @Test
    void refusesNumbersThatWouldNotEnd() {
        assertThatThrownBy(() -> CanonicalJson.of(Map.of("n", new BigDecimal("1E+1001"))))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$.n: a decimal of precision 1 and scale -1001");
        assertThatThrownBy(() -> CanonicalJson.of(new BigDecimal("1".repeat(1001))))
                .hasMessageStartingWith("$: a decimal of precision 1001 and scale 0");
        assertThatThrownBy(() -> CanonicalJson.of(new BigDecimal("1E-999999999")))
                .isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> CanonicalJson.of(BigInteger.ONE.shiftLeft(1_000_000)))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith("$: an integer of 1000001 bits");
    }

    /** Else a request of a megabyte would be compared by a text of 170 megabytes. */
    @Test
    void refusesManyNumbersThatAreMuchLongerThanTheirText() {
        List<BigDecimal> few = Collections.nCopies(100, new BigDecimal("1e999"));
        List<BigDecimal> many = Collections.nCopies(1_000, new BigDecimal("1e999"));
        List<BigInteger> written = Collections.nCopies(1_000, BigInteger.ONE.shiftLeft(3000));

        assertThat(CanonicalJson.of(few)).hasSize(100 * 1001 + 1);
        assertThat(CanonicalJson.of(written)).hasSize(1_000 * 905 + 1);
        assertThat(CanonicalJson.of(Collections.nCopies(1_000, 1e300))).hasSize(1_000 * 7 + 1);
        assertThatThrownBy(() -> CanonicalJson.of(Map.of("n", many)))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("more than 100000 zeros");
        assertThat(Json.write(many)).hasSize(1_000 * 7 + 1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesNumbersThatJsonDoesNotHave(double value) {
        assertThatThrownBy(() -> CanonicalJson.of(Map.of("items", List.of(0, Map.of("price", value)))))
                .isInstanceOf(JsonException.class)
                .hasMessage("$.items[1].price: " + value + " is no JSON number; use null or a string");
        assertThatThrownBy(() -> CanonicalJson.of((float) value)).isInstanceOf(JsonException.class);
    }

    @Test
    void refusesLoneSurrogatesAndNamesThePlace() {
        assertThatThrownBy(() -> CanonicalJson.of(List.of("fine", "x\udc00")))
                .hasMessageStartingWith("$[1]: lone surrogate \\udc00 at index 1");
        assertThatThrownBy(() -> CanonicalJson.of(Map.of("\ud800", 1)))
                .hasMessageStartingWith("$[\"\\ud800\"]: lone surrogate \\ud800 at index 0");
        assertThatThrownBy(() -> CanonicalJson.of('\ud800')).isInstanceOf(JsonException.class);
    }

    @Test
    void isTheSameWhateverTheOrderOfNames() {
        Seeded.times(2_000, random -> {
            Object value = RandomJson.value(random, 4);
            String canonical = CanonicalJson.of(value);

            assertThat(CanonicalJson.of(shuffled(value, random))).isEqualTo(canonical);
            assertThat(CanonicalJson.ofText(canonical)).isEqualTo(canonical);
            assertThat(CanonicalJson.ofText(Json.write(value))).isEqualTo(canonical);
        });
    }

    @Test
    void differsWhereNumbersDiffer() {
        Seeded.times(5_000, random -> {
            BigDecimal one = new BigDecimal(new BigInteger(80, random), random.nextInt(60) - 20);
            BigDecimal other = one.add(BigDecimal.ONE.movePointLeft(Math.max(one.scale(), 0)));

            assertThat(CanonicalJson.of(one)).isNotEqualTo(CanonicalJson.of(other));
            assertThat(new BigDecimal(CanonicalJson.of(one))).isEqualByComparingTo(one);
        });
    }

    private static Object shuffled(Object value, Random random) {
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(element -> copy.add(shuffled(element, random)));
            return copy;
        }
        if (value instanceof Map<?, ?> map) {
            List<Object> names = new ArrayList<>(map.keySet());
            Collections.shuffle(names, random);
            Map<Object, Object> copy = new LinkedHashMap<>();
            names.forEach(name -> copy.put(name, shuffled(map.get(name), random)));
            return copy;
        }
        return value;
    }
}
