package dev.idem.internal.key;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/** The digests of plain text that other programs use. */
final class TextDigest {
    private static final UUID DNS_NAMESPACE = UUID.fromString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");

    private TextDigest() {}

    /** The first digits of SHA-256 over UTF-8. */
    static String sha256(String text, int digits) {
        byte[] utf8 = PartsDigest.utf8("text", text);
        byte[] digest = Sha256.create().digest(utf8);
        return HexFormat.of().formatHex(digest, 0, digits / 2);
    }

    /** SHA-256 over the characters as two bytes each, so that lone surrogates stay distinct. */
    static String ofId(String id) {
        ByteBuffer characters = ByteBuffer.allocate(id.length() * 2);
        characters.asCharBuffer().put(id);
        return HexFormat.of().formatHex(Sha256.create().digest(characters.array()));
    }

    /** The version 5 UUID of a name in the DNS name space (RFC 9562). */
    static String uuid5(String name) {
        MessageDigest sha1 = sha1();
        sha1.update(ByteBuffer.allocate(16)
                .putLong(DNS_NAMESPACE.getMostSignificantBits())
                .putLong(DNS_NAMESPACE.getLeastSignificantBits())
                .flip());
        ByteBuffer digest = ByteBuffer.wrap(sha1.digest(PartsDigest.utf8("name", name)));
        long most = (digest.getLong() & ~0xF000L) | 0x5000L;
        long least = (digest.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(most, least).toString();
    }

    private static MessageDigest sha1() {
        try {
            return MessageDigest.getInstance("SHA-1");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-1; this one does not", e);
        }
    }
}
