package dev.idem.jsonl;

import dev.idem.entry.Payload;
import dev.idem.entry.Result;
import dev.idem.json.Json;
import dev.idem.json.JsonException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A result as it stands in a line: JSON as it is, text as a JSON string, anything else in Base64. Made in the thread of
 * whoever settles, so that those who write for others don't pay for large results.
 *
 * @param result what it was made from
 * @param value the JSON value
 * @param form how the value stands for the bytes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ResultText(Result result, byte[] value, Form form) {
    /** How a JSON value stands for bytes. */
    enum Form {
        /** The bytes are the JSON value itself. */
        JSON("", JSON_MEDIA, JSON_CODEC),
        /** The bytes are the UTF-8 of the string. */
        TEXT("text", "text/plain;charset=utf-8", "text"),
        BASE64("base64", "application/octet-stream", "bytes"),
        /** There is no result to replay; the string says why. */
        UNAVAILABLE("unavailable", "", "");

        final String word;
        /** What is meant where a line names no media type. */
        final String media;
        /** What is meant where a line names no codec. */
        final String codec;

        Form(String word, String media, String codec) {
            this.word = word;
            this.media = media;
            this.codec = codec;
        }

        static Form ofWord(String word) {
            for (Form form : values()) {
                if (form.word.equals(word)) {
                    return form;
                }
            }
            throw new BadLineException("it has a result of the unknown form '" + word + "'");
        }
    }

    static final String JSON_MEDIA = "application/json";
    static final String JSON_CODEC = "json";

    static ResultText of(Result result) {
        if (result instanceof Result.Unavailable unavailable) {
            return new ResultText(result, quoted(unavailable.why()), Form.UNAVAILABLE);
        }
        Payload payload = ((Result.Stored) result).payload();
        boolean plain = payload.encoding().equals(Payload.IDENTITY);
        if (plain && payload.mediaType().startsWith(JSON_MEDIA) && isOneLineOfJson(payload.bytes())) {
            return new ResultText(result, payload.bytes(), Form.JSON);
        }
        String text = plain ? textOf(payload.bytes()) : null;
        return text != null
                ? new ResultText(result, quoted(text), Form.TEXT)
                : new ResultText(result, quoted(Base64.getEncoder().encodeToString(payload.bytes())), Form.BASE64);
    }

    /** The bytes that a value of a line stands for. */
    static byte[] bytes(Form form, byte[] line, int from, int to) {
        if (form == Form.JSON) {
            return Arrays.copyOfRange(line, from, to);
        }
        String text = new Cursor(line, from, to).string();
        return form == Form.TEXT
                ? text.getBytes(StandardCharsets.UTF_8)
                : Base64.getDecoder().decode(text);
    }

    private static boolean isOneLineOfJson(byte[] bytes) {
        for (byte b : bytes) {
            if (b >= 0 && b < ' ') {
                return false;
            }
        }
        if (bytes.length == 0 || bytes[0] == ' ' || bytes[bytes.length - 1] == ' ') {
            return false;
        }
        try {
            Json.parseExact(bytes);
            return true;
        } catch (JsonException e) {
            return false;
        }
    }

    /** The bytes as text that has the very same bytes in UTF-8 and is fit to be read; null when they are not. */
    private static @Nullable String textOf(byte[] bytes) {
        for (byte b : bytes) {
            if (b >= 0 && b < ' ' && b != '\n' && b != '\r' && b != '\t') {
                return null;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static byte[] quoted(String text) {
        LineBuffer buffer = new LineBuffer();
        buffer.string(text);
        return Arrays.copyOf(buffer.bytes(), buffer.size());
    }
}
