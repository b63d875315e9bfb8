package dev.idem.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * SHA-256 over a list of parts that no other list can imitate: an ASCII tag that names the encoding and its version,
 * then each part as four bytes of length, big-endian, and that many bytes of UTF-8.
 */
final class PartsDigest {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final MessageDigest sha256;

    // Short parts are gathered: a digest takes its time for every single piece it is given.
    private byte[] gathered = new byte[96];
    private int length;

    /** Takes a digest that nobody else uses meanwhile, and that is ready to start again after {@link #hex}. */
    PartsDigest(MessageDigest sha256) {
        this.sha256 = sha256;
    }

    PartsDigest tag(String tag) {
        ascii(tag);
        return this;
    }

    PartsDigest part(String what, String text) {
        if (isAscii(text)) {
            size(text.length());
            ascii(text);
        } else {
            byte[] bytes = utf8(what, text);
            size(bytes.length);
            room(bytes.length);
            System.arraycopy(bytes, 0, gathered, length, bytes.length);
            length += bytes.length;
        }
        return this;
    }

    /** A part that may be long; the buffer stays as it is. */
    PartsDigest part(ByteBuffer bytes) {
        size(bytes.remaining());
        flush();
        sha256.update(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        return this;
    }

    /** Ends the list: the digest in 64 digits, lower case. */
    String hex() {
        flush();
        byte[] digest = sha256.digest();
        byte[] hex = new byte[digest.length * 2];
        for (int i = 0; i < digest.length; i++) {
            hex[2 * i] = HEX[digest[i] >> 4 & 0xf];
            hex[2 * i + 1] = HEX[digest[i] & 0xf];
        }
        return new String(hex, StandardCharsets.ISO_8859_1);
    }

    /** UTF-8 that replaces nothing: two texts that differ must not become the same bytes. */
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

    private static boolean isAscii(String text) {
        int all = 0;
        for (int i = 0; i < text.length(); i++) {
            all |= text.charAt(i);
        }
        return all <= 0x7f;
    }

    private void size(int size) {
        room(Integer.BYTES);
        gathered[length++] = (byte) (size >>> 24);
        gathered[length++] = (byte) (size >>> 16);
        gathered[length++] = (byte) (size >>> 8);
        gathered[length++] = (byte) size;
    }

    private void ascii(String text) {
        room(text.length());
        for (int i = 0; i < text.length(); i++) {
            gathered[length++] = (byte) text.charAt(i);
        }
    }

    private void flush() {
        sha256.update(gathered, 0, length);
        length = 0;
    }

    private void room(int more) {
        int end = Math.addExact(length, more);
        if (end > gathered.length) {
            gathered = Arrays.copyOf(gathered, Math.max(end, gathered.length * 2));
        }
    }
}
