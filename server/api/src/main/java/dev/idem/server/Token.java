package dev.idem.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * What the bearer of a secret may do. The secret itself is kept nowhere.
 *
 * @param name of the program or person that has it, for the trail
 * @param digest the SHA-256 digest of the secret, in hex
 * @param expires when it ends; null for never
 */
public record Token(
        String name,
        String digest,
        Access access,
        Instant made,
        @Nullable Instant expires) {
    private static final String NAME = "[A-Za-z0-9._@-]{1,64}";

    public Token {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException("the name of a token has 1 to 64 letters, digits, or . _ @ -");
        }
    }

    /** Whether it has ended by itself. */
    public boolean isExpired(Instant now) {
        return expires != null && !now.isBefore(expires);
    }

    /** The digest of a secret. */
    static String digest(String secret) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
