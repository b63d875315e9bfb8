package dev.idem.internal.json;

import dev.idem.Json;
import dev.idem.JsonException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Canonical JSON by RFC 8785: one text for each value, whatever the order of its names and the Java types it was made
 * of.
 *
 * <p>One thing goes beyond the RFC. A double is written as ECMAScript writes it; an exact number ({@code long},
 * {@code BigInteger}, {@code BigDecimal}, an integer literal in a text) that this form does not denote exactly is
 * written digit for digit, without exponent. So 2^53 and 2^53 + 1 differ, while 1, 1.0 and {@code BigDecimal("1.00")}
 * are the same. Numbers whose zeros would make the text much longer than what was read are refused.
 */
public final class CanonicalJson {
    private CanonicalJson() {}

    /**
     * The canonical text of a value that {@link JsonValues} lists.
     *
     * @throws JsonException if the value has no JSON form; the message names the place
     */
    public static String of(@Nullable Object value) {
        return ofPlain(JsonValues.of(value));
    }

    /** The canonical text of a value, in UTF-8. */
    public static byte[] bytes(@Nullable Object value) {
        return plainBytes(JsonValues.of(value));
    }

    /**
     * The canonical form of a JSON text.
     *
     * @throws JsonException if the text is not strict JSON
     */
    public static String ofText(String jsonText) {
        return ofPlain(Json.parse(jsonText));
    }

    /** The canonical text of a plain value, as {@link JsonValues#of} gives it. */
    public static String ofPlain(@Nullable Object plain) {
        return new JsonWriter(true).text(plain);
    }

    /** The canonical text of a plain value, as {@link JsonValues#of} gives it, in UTF-8. */
    public static byte[] plainBytes(@Nullable Object plain) {
        return ofPlain(plain).getBytes(StandardCharsets.UTF_8);
    }
}
