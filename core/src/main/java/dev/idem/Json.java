package dev.idem;

import dev.idem.internal.json.JsonParser;
import dev.idem.internal.json.JsonValues;
import dev.idem.internal.json.JsonWriter;
import dev.idem.internal.json.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Strict JSON (RFC 8259) from and to text.
 *
 * <p>Parsing gives plain values: {@link Map} (in document order) and {@link List}, both unmodifiable, {@link String},
 * {@link Boolean}, null, and for numbers {@link Long} or {@link BigInteger} where the literal is an integer without
 * fraction and exponent, else {@link Double}. It refuses what readers disagree on: duplicate names, lone surrogates,
 * invalid UTF-8, a byte order mark, numbers out of range, comments, trailing commas, content after the value, and more
 * than 1000 levels of nesting.
 */
public final class Json {
    private Json() {}

    /**
     * Parses a JSON text.
     *
     * @throws JsonException if the text is not strict JSON; the message names path, line, column and offset
     */
    public static @Nullable Object parse(String text) {
        return new JsonParser(text, false).document();
    }

    /** Parses a JSON text in UTF-8; see {@link #parse(String)}. */
    public static @Nullable Object parse(byte[] utf8) {
        return new JsonParser(Utf8.decodeJson(utf8), false).document();
    }

    /**
     * Parses as {@link #parse(String)} does, but gives numbers with fraction or exponent as {@link BigDecimal}, digit
     * for digit.
     */
    public static @Nullable Object parseExact(String text) {
        return new JsonParser(text, true).document();
    }

    /** Parses a JSON text in UTF-8; see {@link #parseExact(String)}. */
    public static @Nullable Object parseExact(byte[] utf8) {
        return new JsonParser(Utf8.decodeJson(utf8), true).document();
    }

    /**
     * Compact JSON text of null, text, numbers, booleans, enums, records, maps, collections, arrays, optionals, {@code
     * byte[]} (in base64), UUIDs, URIs, currencies and the usual types of {@code java.time}. Objects keep the order of their
     * maps and records. Numbers read back as they were: a double keeps its fraction ({@code 1.0}), a {@link BigDecimal}
     * its scale.
     *
     * @throws JsonException if the value has no JSON form
     */
    public static String write(@Nullable Object value) {
        return writePlain(JsonValues.of(value));
    }

    /** The same for a value of plain maps, lists, text, numbers and booleans, such as {@link #parse(String)} gives. */
    public static String writePlain(@Nullable Object plain) {
        return new JsonWriter(false).text(plain);
    }
}
