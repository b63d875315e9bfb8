package dev.idem.key;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * SHA-256 over a list of parts that no other list can imitate: an ASCII tag that names the encoding and its version,
 * then each part as four bytes of length, big-endian, and that many bytes of UTF-8.
 */
final class PartsDigest {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    // Gathered first: a digest takes its time for every single piece it is given.
    private byte[] gathered = new byte[384];
    private int start;
    private int length;

    PartsDigest(String tag) {
        add(tag.getBytes(StandardCharsets.US_ASCII));
    }

    PartsDigest part(String what, String text) {
        return part(utf8(what, text));
    }

    /** The first digits of the digest, lower case. */
    String hex(int digits) {
        return hex(digits, sha256());
    }

    /** The same by a digest that is ready to start, and is so again afterwards. */
    String hex(int digits, MessageDigest sha256) {
        sha256.update(gathered, start, length - start);
        byte[] digest = sha256.digest();
        byte[] text = new byte[digits];
        for (int i = 0; i < digits; i += 2) {
            byte both = digest[i >> 1];
            text[i] = HEX[both >> 4 & 0xf];
            text[i + 1] = HEX[both & 0xf];
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    /** Where the parts end that were added so far. */
    int length() {
        return length;
    }

    /**
     * Puts another tag in place of everything before a part: what follows is gathered once for two digests.
     *
     * @param end where the part begins, which the tag must fit before
     */
    PartsDigest retagged(String tag, int end) {
        byte[] bytes = tag.getBytes(StandardCharsets.US_ASCII);
        start = end - bytes.length;
        System.arraycopy(bytes, 0, gathered, start, bytes.length);
        return this;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256; this one does not", e);
        }
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

    PartsDigest part(byte[] bytes) {
        int size = bytes.length;
        room(Integer.BYTES);
        gathered[length++] = (byte) (size >>> 24);
        gathered[length++] = (byte) (size >>> 16);
        gathered[length++] = (byte) (size >>> 8);
        gathered[length++] = (byte) size;
        add(bytes);
        return this;
    }

    private void add(byte[] bytes) {
        room(bytes.length);
        System.arraycopy(bytes, 0, gathered, length, bytes.length);
        length += bytes.length;
    }

    private void room(int more) {
        int end = Math.addExact(length, more);
        if (end > gathered.length) {
            gathered = Arrays.copyOf(gathered, Math.max(end, gathered.length * 2));
        }
    }
}
