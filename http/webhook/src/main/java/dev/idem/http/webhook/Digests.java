package dev.idem.http.webhook;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Digests of bodies. */
final class Digests {
    private Digests() {}

    static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    static String named(byte[] bytes) {
        return "sha256:" + HexFormat.of().formatHex(sha256(bytes));
    }
}
