package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriteTest {
    private static final String NOISE = "{}[]\",:u0129eE+-.ntf\\ " + "\ud800\udc00\u0000";

    @Test
    void writesCompactlyInTheOrderGiven() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("z", Arrays.asList(1, null, true));
        map.put("a", Map.of());
        map.put("é", "\"\\/\b\f\n\r\t\u0001\u007f😀");

        assertThat(Json.write(map))
                .isEqualTo("{\"z\":[1,null,true],\"a\":{},\"é\":\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u007f😀\"}");
    }

    @Test
    void writesNumbersThatReadBackAsTheyWere() {
        List<Object> numbers = List.of(
                1.0,
                0.0,
                -0.0,
                -Double.MIN_VALUE,
                1e21,
                1.5e-9,
                0.1,
                3L,
                new BigInteger("123456789012345678901234567890"),
                9007199254740992.0);
        assertThat(Json.parse(Json.write(numbers))).isEqualTo(numbers);

        List<Object> decimals = List.of(new BigDecimal("1.50"), new BigDecimal("1E+3"), new BigDecimal("1E-30"));
        assertThat(Json.parseExact(Json.write(decimals))).isEqualTo(decimals);
    }

    @Test
    void writesNothingThatIsNotJson() {
        assertThatThrownBy(() -> Json.write(List.of(Double.NaN))).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.write("\ud800")).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.write(new Object())).isInstanceOf(JsonException.class);
    }

    @Test
    void readsBackWhatItWrote() {
        Seeded.times(2_000, random -> {
            Object value = RandomJson.value(random, 4);
            assertThat(Json.parse(Json.write(value))).isEqualTo(value);
        });
    }

    @Test
    void neverFailsButWithItsOwnException() {
        Seeded.times(5_000, random -> {
            StringBuilder text = new StringBuilder(Json.write(RandomJson.value(random, 3)));
            for (int i = random.nextInt(4); i >= 0; i--) {
                int at = random.nextInt(text.length() + 1);
                text.insert(at, NOISE.charAt(random.nextInt(NOISE.length())));
            }
            try {
                Object value = Json.parse(text.toString());
                assertThat(Json.parse(Json.write(value))).isEqualTo(value);
            } catch (JsonException refused) {
                assertThat(refused).hasMessageStartingWith("$").hasMessageContaining("offset");
            }
        });
    }
}
