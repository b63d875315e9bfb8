package dev.idem.cli.recorded;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Bytes as text, if they are UTF-8. */
public final class Text {
    private Text() {}

    /** Whether the bytes are UTF-8, so that text made of them gives the same bytes again. */
    public static boolean isUtf8(byte[] bytes) {
        return orNull(bytes) != null;
    }

    /** The text, or null if the bytes are not UTF-8. */
    public static @Nullable String orNull(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
