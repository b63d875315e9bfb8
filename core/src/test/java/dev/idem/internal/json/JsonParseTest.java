package dev.idem.internal.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Json;
import dev.idem.JsonException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonParseTest {

    @Test
    void givesPlainValues() {
        Object value = Json.parse(" {\"a\" : [ true , false,null, \"x\"], \"b\":{} ,\"c\":[]} \r\n\t");

        assertThat(value).isEqualTo(Map.of("a", Arrays.asList(true, false, null, "x"), "b", Map.of(), "c", List.of()));
    }

    @Test
    void keepsTheOrderOfNames() {
        assertThat(((Map<?, ?>) Json.parse("{\"z\":1,\"a\":2,\"m\":3}")).keySet())
                .map(Object::toString)
                .containsExactly("z", "a", "m");
    }

    @Test
    void givesUnmodifiableContainers() {
        @SuppressWarnings("unchecked")
        Map<String, Object> map = (Map<String, Object>) Json.parse("{\"a\":[1]}");

        assertThatThrownBy(() -> map.put("b", 1)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ((List<?>) map.get("a")).clear()).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void keepsIntegersExact() {
        assertThat(Json.parse("0")).isEqualTo(0L);
        assertThat(Json.parse("-0")).isEqualTo(0L);
        assertThat(Json.parse("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(Json.parse("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(Json.parse("9223372036854775808")).isEqualTo(new BigInteger("9223372036854775808"));
        assertThat(Json.parse("9007199254740993")).isEqualTo(9007199254740993L);
    }

    @Test
    void givesDoublesForFractionsAndExponents() {
        assertThat(Json.parse("1.0")).isEqualTo(1.0);
        assertThat(Json.parse("1e2")).isEqualTo(100.0);
        assertThat(Json.parse("-1.5E-3")).isEqualTo(-0.0015);
        assertThat(Json.parse("0e999999")).isEqualTo(0.0);
        assertThat(Json.parse("4.9e-324")).isEqualTo(Double.MIN_VALUE);
    }

    @Test
    void keepsDecimalsDigitForDigitWhenAskedTo() {
        assertThat(Json.parseExact("[1.50,1e3,2]"))
                .isEqualTo(List.of(new BigDecimal("1.50"), new BigDecimal("1e3"), 2L));
        assertThat(Json.parseExact("0.1234567890123456789".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new BigDecimal("0.1234567890123456789"));
    }

    @Test
    void readsEscapes() {
        assertThat(Json.parse("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u00E9\\ud83d\\ude00x\""))
                .isEqualTo("\"\\/\b\f\n\r\téé😀x");
    }

    @Test
    void readsUtf8() {
        assertThat(Json.parse("{\"né\":\"😀\"}".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Map.of("né", "😀"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "nul",
                "True",
                "tru",
                "NaN",
                "Infinity",
                "-Infinity",
                "-",
                "+1",
                "01",
                "-01",
                "00",
                "1.",
                ".5",
                "1.e3",
                "1e",
                "1e+",
                "0x10",
                "1 2",
                "[1,]",
                "[,1]",
                "[1",
                "[1}",
                "{\"a\":1,}",
                "{\"a\"}",
                "{\"a\":}",
                "{a:1}",
                "{'a':1}",
                "{\"a\" 1}",
                "{",
                "[",
                "\"",
                "\"\\",
                "\"\\u12",
                "\"\\x\"",
                "\"\\u12g4\"",
                "'a'",
                "// c\n1",
                "1 // c",
                "/* c */1",
                "[1 2]",
                "{\"a\":1 \"b\":2}",
                "]",
                "}",
                ",",
                ":",
                "\u00a01",
                "\"\\u\uff11234\"",
                "١"
            })
    void refusesWhatIsNotJson(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("offset");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', quoteCharacter = '`', textBlock = """
                    {"a":1,"a":2}                  ~ $.a: duplicate name                       ~ (line 1:8, offset 7)
                    {"a":null,"a":null}            ~ $.a: duplicate name                       ~ (line 1:11, offset 10)
                    {"a":1,"\\u0061":2}            ~ $.a: duplicate name                       ~ (line 1:8, offset 7)
                    {"items":[0,1,2,{"price":1.}]} ~ $.items[3].price: expected a digit        ~ (line 1:28, offset 27)
                    {"a b":["\\ud800"]}            ~ $["a b"][0]: lone surrogate \\ud800       ~ (line 1:10, offset 9)
                    ["\\udc00\\ud800"]             ~ $[0]: lone surrogate \\udc00              ~ (line 1:3, offset 2)
                    ["\\ud800\\u0041"]             ~ $[0]: lone surrogate \\ud800              ~ (line 1:3, offset 2)
                    [1e999]                        ~ $[0]: the number 1e999 is out of          ~ (line 1:2, offset 1)
                    [1e-999]                       ~ $[0]: the number 1e-999 is out of         ~ (line 1:2, offset 1)
                    [1,,2]                         ~ $[1]: expected a value but found ','      ~ (line 1:4, offset 3)
                    {"a":[[1],{"b":2}],"c":x}      ~ $.c: expected a value but found 'x'       ~ (line 1:24, offset 23)
                    [NaN]                          ~ $[0]: expected a value but found 'N'      ~ (line 1:2, offset 1)
                    [-Infinity]                    ~ $[0]: expected a digit but found 'I'      ~ (line 1:3, offset 2)
                    [007]                          ~ $[0]: a number can't begin with a zero    ~ (line 1:2, offset 1)
                    {} {}                          ~ $: expected the end of the text but found ~ (line 1:4, offset 3)
                    """)
    void namesThePlace(String text, String problem, String position) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(JsonException.class)
                .hasMessageStartingWith(problem)
                .hasMessageEndingWith(position);
    }

    @Test
    void countsLinesAndColumns() {
        assertThatThrownBy(() -> Json.parse("{\n  \"a\": 1,\n  \"b\": x\n}"))
                .isInstanceOf(JsonException.class)
                .hasMessage("$.b: expected a value but found 'x' (line 3:8, offset 19)");
    }

    @Test
    void refusesControlCharactersAndLoneSurrogatesInStrings() {
        assertThatThrownBy(() -> Json.parse("[\"a\nb\"]")).hasMessageStartingWith("$[0]: control character U+000A");
        assertThatThrownBy(() -> Json.parse("{\"k\":\"\ud800\"}"))
                .hasMessageStartingWith("$.k: lone surrogate \\ud800");
        assertThatThrownBy(() -> Json.parse("{\"k\":\"\\n\ude00\"}"))
                .hasMessageStartingWith("$.k: lone surrogate \\ude00");
        assertThatThrownBy(() -> Json.parse("\"\ud83d" + "\\ude00\""))
                .hasMessageStartingWith("$: lone surrogate \\ud83d");
    }

    @Test
    void refusesAByteOrderMark() {
        assertThatThrownBy(() -> Json.parse("\uFEFF{}")).hasMessageStartingWith("$: begins with a byte order mark");
        assertThatThrownBy(() -> Json.parse("\uFEFF{}".getBytes(StandardCharsets.UTF_8)))
                .hasMessageStartingWith("$: begins with a byte order mark");
    }

    @Test
    void refusesInvalidUtf8AndNamesThePlace() {
        byte[] overlong = {'{', '"', 'a', '"', ':', '[', '1', ',', '"', (byte) 0xC0, (byte) 0x80, '"', ']', '}'};
        byte[] surrogate = {'"', (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"'};
        byte[] cutOff = {'"', 'x', (byte) 0xC3};
        byte[] afterAnEarlierError = {'[', ',', (byte) 0xFF};

        assertThatThrownBy(() -> Json.parse(overlong)).hasMessageStartingWith("$.a[1]: invalid UTF-8 at byte 9");
        assertThatThrownBy(() -> Json.parse(surrogate)).hasMessageStartingWith("$: invalid UTF-8 at byte 1");
        assertThatThrownBy(() -> Json.parse(cutOff)).hasMessageStartingWith("$: invalid UTF-8 at byte 2");
        assertThatThrownBy(() -> Json.parse(afterAnEarlierError)).hasMessageStartingWith("$[0]: expected a value");
    }

    @Test
    void takesAThousandLevelsAndRefusesMoreWithoutOverflowingTheStack() {
        assertThat(Json.parse("[".repeat(1000) + "]".repeat(1000))).isInstanceOf(List.class);
        assertThat(CanonicalJson.ofText("[".repeat(1000) + "]".repeat(1000))).hasSize(2000);

        assertThatThrownBy(() -> Json.parse("[".repeat(1001)))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("nested more than 1000 levels");
        assertThatThrownBy(() -> Json.parse("{\"a\":".repeat(100_000)))
                .isInstanceOf(JsonException.class)
                .hasMessageContaining("nested more than 1000 levels");
    }

    @Test
    void needsNoDeepStackForADeepText() throws InterruptedException {
        AtomicReference<Object> outcome = new AtomicReference<>();
        String text = "{\"a\":[".repeat(500) + "1" + "]}".repeat(500);
        Thread small = new Thread(null, () -> outcome.set(Json.parse(text)), "small stack", 192 * 1024);
        small.start();
        small.join();

        assertThat(outcome.get()).isNotNull();
    }

    @Test
    void refusesNumbersTooLongToReadInReasonableTime() {
        assertThat(Json.parse("1".repeat(1000))).isEqualTo(new BigInteger("1".repeat(1000)));
        assertThatThrownBy(() -> Json.parse("[" + "1".repeat(1001) + "]"))
                .hasMessageStartingWith("$[0]: a number of 1001 characters");
        assertThatThrownBy(() -> Json.parseExact("1e1001")).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.parseExact("1e99999999999")).isInstanceOf(JsonException.class);
    }
}
