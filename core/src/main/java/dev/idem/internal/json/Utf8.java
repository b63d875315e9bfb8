package dev.idem.internal.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes UTF-8 strictly and reports the position of invalid bytes. */
public final class Utf8 {
    private Utf8() {}

    public static String decodeJson(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        // Java decodes invalid bytes as the replacement character. A valid text may have it too.
        return text.indexOf('\uFFFD') < 0 ? text : decodeStrictly(bytes);
    }

    /** The text of the bytes, which gives the same bytes again; null if they are not UTF-8. */
    public static @Nullable String textOrNull(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static String decodeStrictly(byte[] bytes) {
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CoderResult result = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(in, chars, true);
        String text = chars.flip().toString();
        if (result.isError()) {
            throw JsonParser.brokenAfter(text, "invalid UTF-8 at byte " + in.position() + "; send the text as UTF-8");
        }
        return text;
    }

    /** The index of the first char that is half of a surrogate pair without its other half, or -1. */
    static int loneSurrogate(String text) {
        int all = 0;
        for (int i = 0; i < text.length(); i++) {
            all |= text.charAt(i);
        }
        return all < Character.MIN_SURROGATE ? -1 : firstLoneSurrogate(text);
    }

    private static int firstLoneSurrogate(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                boolean paired = Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!paired) {
                    return i;
                }
                i++;
            }
        }
        return -1;
    }
}
