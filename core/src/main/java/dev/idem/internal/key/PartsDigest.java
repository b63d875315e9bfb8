package dev.idem.internal.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * SHA-256 over an unambiguous encoding of a list of parts: an ASCII tag that names the encoding and its version, then
 * each part as four bytes of length, big-endian, and that many bytes of UTF-8.
 */
final class PartsDigest {
    private final MessageDigest sha256 = Sha256.create();

    PartsDigest(String tag) {
        sha256.update(tag.getBytes(StandardCharsets.US_ASCII));
    }

    PartsDigest part(String what, String text) {
        return part(utf8(what, text));
    }

    PartsDigest part(byte[] bytes) {
        sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        sha256.update(bytes);
        return this;
    }

    /** Ends the list: the digest in 64 digits, lower case. */
    String hex() {
        return HexFormat.of().formatHex(sha256.digest());
    }

    /** Strict UTF-8: two different texts must not become the same bytes. */
    static byte[] utf8(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            int c = text.codePointAt(i);
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                throw new IllegalArgumentException(
                        "The " + what + " holds half of a surrogate pair at index " + i + "; give the whole character");
            }
            i += Character.charCount(c) - 1;
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
