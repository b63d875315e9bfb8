package dev.idem.agent.formula;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/** The digests of plain text that other programs use. The text has no half of a surrogate pair: the formula refused it. */
final class TextDigest {
    private static final UUID DNS_NAMESPACE = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

    private TextDigest() {}

    /** The first digits of SHA-256 over UTF-8. */
    static String sha256(String text, int digits) {
        byte[] digest = algorithm("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, digits / 2);
    }

    /** The version 5 UUID of a name in the DNS name space (RFC 9562). */
    static String uuid5(String name) {
        MessageDigest sha1 = algorithm("SHA-1");
        sha1.update(ByteBuffer.allocate(16)
                .putLong(DNS_NAMESPACE.getMostSignificantBits())
                .putLong(DNS_NAMESPACE.getLeastSignificantBits())
                .flip());
        ByteBuffer digest = ByteBuffer.wrap(sha1.digest(name.getBytes(StandardCharsets.UTF_8)));
        long most = (digest.getLong() & ~0xF000L) | 0x5000L;
        long least = (digest.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(most, least).toString();
    }

    private static MessageDigest algorithm(String name) {
        try {
            return MessageDigest.getInstance(name);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has " + name + "; this one does not", e);
        }
    }
}
