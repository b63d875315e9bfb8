package dev.idem.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.Key;
import dev.idem.SideEffect;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Keys that Java derives from its own values, with the JSON that a client sends for the same value. The tests of every
 * client read the file, so that all languages meet under one key. To write it anew: {@code -Didem.vectors=write}.
 */
class IdentityVectorsTest extends ApiCase {
    private static final Path FILE = Path.of("..", "..", "clients", "identity-vectors.jsonl");

    private static Map<String, @Nullable Object> values() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        values.put("an order", of("customer", "cus_1", "cents", 4200));
        values.put("members in another order", Json.parse("{\"cents\":4200,\"customer\":\"cus_1\"}"));
        values.put("an instant", Map.of("at", Instant.parse("2026-11-18T09:14:02Z")));
        values.put("an instant with nanoseconds", Map.of("at", Instant.parse("2026-11-18T09:14:02.123456789Z")));
        values.put("a date", Map.of("on", LocalDate.of(2026, 11, 18)));
        values.put("a duration", Map.of("for", Duration.ofMinutes(90)));
        values.put("the integer 1", Map.of("n", 1));
        values.put("the double 1.0", Map.of("n", 1.0));
        values.put("the decimal 1.10", Map.of("n", new BigDecimal("1.10")));
        values.put("the decimal 1.1", Map.of("n", new BigDecimal("1.1")));
        values.put("2^53 + 1", Map.of("n", 9007199254740993L));
        values.put("a big integer", Map.of("n", new BigInteger("123456789012345678901234567890")));
        values.put("a small number", Map.of("n", 1e-7));
        values.put("a large number", Map.of("n", 1e21));
        values.put("minus zero", Map.of("n", -0.0));
        values.put("an enum", Map.of("effect", SideEffect.WRITE));
        values.put("a UUID", Map.of("id", UUID.fromString("0b7f4c1e-9d7a-4d53-8f7e-2f7c3f1a9b11")));
        values.put("bytes", Map.of("data", new byte[] {0, 1, (byte) 0xff}));
        values.put("a field that is null", json("{\"a\":1,\"b\":null}"));
        values.put("without that field", Map.of("a", 1));
        values.put("booleans", of("yes", true, "no", false));
        values.put("a text with umlauts and an emoji", of("name", "Zoë \uD83D\uDE00", "größe", 1));
        values.put("escapes", Map.of("text", "\"\\\n\u0001/"));
        values.put("a list", List.of(1, "two", List.of()));
        values.put("null in a list", Arrays.asList(1, null));
        values.put("a text alone", "order-7");
        values.put("a number alone", 42);
        values.put("nothing", Map.of());
        return values;
    }

    @Test
    void everyLanguageMeetsUnderOneKey() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, @Nullable Object> each : values().entrySet()) {
            for (int occurrence = 1; occurrence <= (each.getKey().equals("an order") ? 2 : 1); occurrence++) {
                String identity = Json.write(each.getValue());
                String key = Key.derive("order-7", "charge", each.getValue(), occurrence)
                        .value();
                String request = "{\"scope\":\"order-7\",\"operation\":\"charge\",\"occurrence\":" + occurrence
                        + ",\"identity\":" + identity + "}";
                Map<String, @Nullable Object> served = json(api.call("key", request, CALLER));
                assertThat(served).as(each.getKey()).containsEntry("key", key);
                lines.add("{\"name\":" + Json.write(each.getKey()) + "," + request.substring(1, request.length() - 1)
                        + ",\"key\":\"" + key + "\",\"canonical\":" + Json.write(served.get("canonical")) + "}");
            }
        }
        if ("write".equals(System.getProperty("idem.vectors"))) {
            Files.createDirectories(FILE.getParent());
            Files.write(FILE, lines);
        }
        assertThat(Files.readAllLines(FILE)).isEqualTo(lines);
    }
}
