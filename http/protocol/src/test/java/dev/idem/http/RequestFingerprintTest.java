package dev.idem.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import dev.idem.Json;
import dev.idem.http.suite.Sent;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RequestFingerprintTest {
    private static final HttpRules RULES = HttpRules.ietf();
    private static final Sent FILES = Sent.post("/files");

    @Test
    void theWayInWhichJsonIsWrittenDoesNotCount() throws Exception {
        for (int seed = 0; seed < 500; seed++) {
            Object value = value(new Random(seed), 3);
            String one = Json.write(value);
            String other = written(value, new Random(seed + 1));

            assertThat(json(other)).as("%s and %s", one, other).isEqualTo(json(one));
        }
    }

    @Test
    void everyChangeOfAValueInJsonCounts() throws Exception {
        for (int seed = 0; seed < 500; seed++) {
            Map<String, Object> value = new LinkedHashMap<>();
            value.put("value", value(new Random(seed), 3));
            String before = Json.write(value);
            value.put("more", null);

            assertThat(json(Json.write(value))).isNotEqualTo(json(before));
        }
        assertThat(json("[1,2]")).isNotEqualTo(json("[2,1]"));
        assertThat(json("{\"a\":null}")).isNotEqualTo(json("{}"));
        assertThat(json("\"1\"")).isNotEqualTo(json("1"));
        assertThat(json("0.10000000000000000001")).isNotEqualTo(json("0.1"));
        assertThat(json("9007199254740993")).isNotEqualTo(json("9007199254740992"));
    }

    /** A body that is no strict JSON still has to be told from another one. */
    @Test
    void whatIsNoStrictJsonIsComparedByItsBytes() throws Exception {
        List<String> bodies = List.of(
                "",
                " ",
                "{",
                "{\"a\":1,\"a\":2}",
                "{\"a\":2}",
                "1e999999999",
                "1e999999998",
                "[".repeat(1001),
                "\ufeff{}");

        assertThat(bodies.stream().map(RequestFingerprintTest::json)).doesNotHaveDuplicates();
        assertThat(json("{")).isEqualTo(json("{"));
    }

    @Test
    void aLongJsonIsComparedByItsBytes() throws Exception {
        HttpRules small = RULES.largestInMemory(10);

        assertThat(of(FILES.json("[1.0,2,34]"), small)).isEqualTo(of(FILES.json("[1,2,34]"), small));
        assertThat(of(FILES.json("[1,2,3,456]"), small)).isNotEqualTo(of(FILES.json("[1, 2,3,456]"), small));
    }

    @Test
    void theMediaTypeCountsAndItsParametersDoNot() {
        String text = of(FILES.body("text/plain", "a"));

        assertThat(of(FILES.body("TEXT/plain ; charset=utf-8", "a"))).isEqualTo(text);
        assertThat(of(FILES.body("text/csv", "a"))).isNotEqualTo(text);
    }

    /** The packages compare by the same prints, so that a retry may reach a server in another language. */
    @TestFactory
    Stream<DynamicTest> theBodyHasThePrintOfAllLanguages() throws IOException {
        return Files.readAllLines(Path.of("../../clients/body-cases.jsonl")).stream()
                .map(line -> (Map<?, ?>) Json.parse(line))
                .map(each -> DynamicTest.dynamicTest(String.valueOf(each.get("name")), () -> {
                    String body = text(each, "before")
                            + text(each, "repeat")
                                    .repeat(each.get("times") instanceof Long times ? times.intValue() : 0)
                            + text(each, "body");
                    Sent sent = FILES.body(text(each, "type"), body.getBytes(UTF_8));
                    assertThat(RequestFingerprint.of(arrived(sent), RULES).get("request"))
                            .asInstanceOf(MAP)
                            .containsEntry("body", each.get("print"));
                }));
    }

    private static String text(Map<?, ?> of, String name) {
        return of.get(name) instanceof String text ? text : "";
    }

    @Test
    void formsInOtherCharsetsAreToldApart() throws Exception {
        String type = "application/x-www-form-urlencoded";

        assertThat(of(FILES.body(type, "a=%E9"))).isNotEqualTo(of(FILES.body(type, "a=%E8")));
        assertThat(of(FILES.body(type, "a=%E9"))).isEqualTo(of(FILES.body(type, "a=\u00e9".getBytes(ISO_8859_1))));
        assertThat(of(FILES.body(type, "a=%zz"))).isNotEqualTo(of(FILES.body(type, "a=%zy")));
        assertThat(of(FILES.body(type, "a=1&b=2"))).isEqualTo(of(FILES.body(type, "b=2&a=1")));
        assertThat(of(FILES.body(type, "a=1"))).isNotEqualTo(of(FILES.body(type, "a=1&a=1")));
    }

    @Test
    void aMultipartBodyIsComparedByItsParts() throws Exception {
        Random random = new Random(3);
        for (int round = 0; round < 100; round++) {
            List<byte[]> contents = new ArrayList<>();
            for (int part = random.nextInt(4); part >= 0; part--) {
                contents.add(content(random));
            }
            String first = of(multipart("a" + round, contents));

            assertThat(of(multipart("--another-" + round, contents))).isEqualTo(first);
            byte[] changed = contents.get(0).clone();
            changed[random.nextInt(changed.length)] ^= 1;
            contents.set(0, changed);
            assertThat(of(multipart("a" + round, contents))).isNotEqualTo(first);
        }
    }

    /** Else the parts of a cut body, or none at all, would stand for the whole. */
    @Test
    void aBrokenMultipartBodyIsComparedByItsBytes() throws Exception {
        String type = "multipart/form-data; boundary=x";
        String whole = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--\r\n";
        List<String> bodies = List.of(
                "",
                "--x--",
                whole,
                whole.replace("x--", "x"),
                whole.replace("\r\n\r\n", ""),
                whole + "--x",
                "one",
                "two");

        assertThat(bodies.stream()
                        .map(body -> of(FILES.body(type, body)))
                        .distinct()
                        .count())
                // Bytes after the end of the last part are no part.
                .isEqualTo(bodies.size() - 1);
        assertThat(of(FILES.body("multipart/form-data", "one")))
                .isNotEqualTo(of(FILES.body("multipart/form-data", "two")));
    }

    @Test
    void theLengthOfABodyIsLimited() {
        HttpRules small = RULES.largestBody(100);
        for (String type : List.of("text/plain", "application/json", "multipart/form-data; boundary=x", "")) {
            assertThatThrownBy(() -> RequestFingerprint.of(arrived(FILES.body(type, "1".repeat(101))), small))
                    .as(type)
                    .isInstanceOf(BodyTooLargeException.class);
        }
    }

    /** Neither a query nor a body may end up in a label, where people see it. */
    @Test
    void onlyThePathIsInPlainSight() throws Exception {
        Map<String, Object> print = RequestFingerprint.of(
                arrived(Sent.post("/orders/7?token=s3cret").json("[1]")), RULES);

        assertThat(print).containsEntry("path", "/orders/7").containsOnlyKeys("path", "request");
        assertThat(print.get("request")).isInstanceOf(Map.class);
    }

    private static Request arrived(Sent sent) {
        return new GuardSurface.Arrived(sent);
    }

    private static String json(String body) {
        return of(FILES.json(body));
    }

    private static String of(Sent sent) {
        return of(sent, RULES);
    }

    private static String of(Sent sent, HttpRules rules) {
        try {
            return RequestFingerprint.of(arrived(sent), rules).toString();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Sent multipart(String boundary, List<byte[]> contents) {
        StringBuilder body = new StringBuilder("a preamble\r\n");
        for (int i = 0; i < contents.size(); i++) {
            body.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=part");
            body.append(i)
                    .append("\r\n\r\n")
                    .append(new String(contents.get(i), ISO_8859_1))
                    .append("\r\n");
        }
        body.append("--").append(boundary).append("--\r\nan epilogue");
        return FILES.body(
                "multipart/form-data; boundary=\"" + boundary + '"',
                body.toString().getBytes(ISO_8859_1));
    }

    /** Bytes that look like the beginning of a boundary again and again. */
    private static byte[] content(Random random) {
        String likely = "\r\n--\r\n--a1\u00ff\u0000";
        byte[] content = new byte[1 + random.nextInt(20_000)];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) likely.charAt(random.nextInt(likely.length()));
        }
        return content;
    }

    private static Object value(Random random, int depth) {
        switch (random.nextInt(depth == 0 ? 4 : 6)) {
            case 0:
                return null;
            case 1:
                return random.nextBoolean();
            case 2:
                return BigDecimal.valueOf(random.nextInt(100_000), random.nextInt(4));
            case 3:
                return "t\u00e9\"\\" + random.nextInt(100);
            case 4:
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(value(random, depth - 1));
                }
                return list;
            default:
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(5); i > 0; i--) {
                    map.put("name" + random.nextInt(20), value(random, depth - 1));
                }
                return map;
        }
    }

    /** The same value, written in another way: order of names, spaces, zeros, exponents, escapes. */
    private static String written(Object value, Random random) {
        String space = " \n\t".substring(0, random.nextInt(4));
        if (value instanceof Map<?, ?> map) {
            List<Map.Entry<?, ?>> entries = new ArrayList<>(map.entrySet());
            Collections.shuffle(entries, random);
            List<String> members = new ArrayList<>();
            entries.forEach(each ->
                    members.add(Json.write(each.getKey()) + space + ":" + space + written(each.getValue(), random)));
            return "{" + space + String.join(space + ",", members) + "}";
        } else if (value instanceof List<?> list) {
            return "["
                    + String.join(
                            "," + space,
                            list.stream().map(each -> written(each, random)).toList()) + "]";
        } else if (value instanceof BigDecimal number) {
            String plain = number.toPlainString();
            String zeros = plain.contains(".") ? plain + "00" : plain + ".0";
            return random.nextBoolean() ? zeros : number.unscaledValue() + "E-" + number.scale();
        } else if (value instanceof String text) {
            StringBuilder escaped = new StringBuilder("\"");
            text.chars().forEach(c -> escaped.append(String.format("\\u%04x", c)));
            return escaped.append('"').toString();
        }
        return Json.write(value);
    }
}
