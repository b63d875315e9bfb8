package dev.idem.jsonl.line;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.internal.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a result in a line: JSON unchanged, text as a JSON string, anything else in Base64. Encoded in the
 * thread that settles, so that large results do not delay the leading writer.
 *
 * @param name the members before the value, and its name
 * @param value the JSON value; it is read back byte by byte
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BodyText(byte[] name, byte[] value) {
    static final BodyText NONE = new BodyText(new byte[0], new byte[0]);

    private static final byte[] JSON = utf8(",\"result\":");
    private static final byte[] TEXT = utf8(",\"form\":\"text\",\"result\":");
    private static final byte[] BASE64 = utf8(",\"form\":\"base64\",\"result\":");

    public static BodyText of(byte @Nullable [] body) {
        if (body == null) {
            return NONE;
        } else if (isOneLineOfJson(body)) {
            return new BodyText(JSON, body);
        }
        String text = textOf(body);
        return text != null
                ? new BodyText(TEXT, utf8(Json.write(text)))
                : new BodyText(BASE64, utf8('"' + Base64.getEncoder().encodeToString(body) + '"'));
    }

    /** Decodes the value of a line. */
    static byte[] bytes(@Nullable String form, byte[] line, int from, int to) {
        byte[] value = Arrays.copyOfRange(line, from, to);
        if (form == null) {
            return value;
        } else if (form.equals("base64")) {
            return Base64.getDecoder().decode(new String(value, 1, value.length - 2, StandardCharsets.US_ASCII));
        } else if (form.equals("text") && Json.parse(value) instanceof String text) {
            return utf8(text);
        }
        throw new BadLineException("it has a result of the unknown form '" + form + "'");
    }

    private static boolean isOneLineOfJson(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] == ' ' || bytes[bytes.length - 1] == ' ' || hasControls(bytes, "")) {
            return false;
        }
        try {
            Json.parseExact(bytes);
            return true;
        } catch (JsonException e) {
            return false;
        }
    }

    /** The bytes as readable text, if encoding it in UTF-8 gives the same bytes; else null. */
    private static @Nullable String textOf(byte[] bytes) {
        return hasControls(bytes, "\n\r\t") ? null : Utf8.textOrNull(bytes);
    }

    private static boolean hasControls(byte[] bytes, String allowed) {
        for (byte b : bytes) {
            if (b >= 0 && b < ' ' && allowed.indexOf(b) < 0) {
                return true;
            }
        }
        return false;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
