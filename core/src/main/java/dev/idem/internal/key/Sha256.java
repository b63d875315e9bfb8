package dev.idem.internal.key;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, which every Java platform has. */
public final class Sha256 {
    private Sha256() {}

    static MessageDigest create() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256; this one does not", e);
        }
    }

    /** The digits of SHA-256 over the characters as two bytes each, so that lone surrogates stay distinct. */
    public static String ofCharacters(String text) {
        ByteBuffer characters = ByteBuffer.allocate(text.length() * 2);
        characters.asCharBuffer().put(text);
        return HexFormat.of().formatHex(create().digest(characters.array()));
    }
}
