package dev.idem.redis;

import dev.idem.entry.Fingerprints;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The fingerprints of an entry: first what scripts compare, 1 or 0 for an identity or none and 32 bytes of it. */
final class FingerprintSegment {
    private static final int DIGEST = 32;
    private static final byte NONE = '0';
    private static final byte SOME = '1';
    private static final byte ABSENT = 'n';
    private static final byte HEX = 'h';
    private static final byte TEXT = 't';
    private static final HexFormat HEX_FORMAT = HexFormat.of();

    private FingerprintSegment() {}

    static byte[] pack(Fingerprints fingerprints) {
        FieldWriter writer = new FieldWriter(2 + DIGEST + 1 + DIGEST);
        String identity = fingerprints.identity();
        if (identity == null) {
            writer.raw(NONE).raw(new byte[DIGEST]);
        } else if (isDigest(identity)) {
            writer.raw(SOME).raw(HEX_FORMAT.parseHex(identity)).raw(HEX);
        } else {
            writer.raw(SOME).raw(digest(identity)).raw(TEXT).text(identity);
        }
        String content = fingerprints.content();
        if (content == null) {
            writer.raw(ABSENT);
        } else if (isDigest(content)) {
            writer.raw(HEX).raw(HEX_FORMAT.parseHex(content));
        } else {
            writer.raw(TEXT).text(content);
        }
        return writer.bytes();
    }

    static Fingerprints unpack(FieldReader reader) {
        boolean some = reader.raw() == SOME;
        byte[] digest = reader.raw(DIGEST);
        String identity = null;
        if (some) {
            identity = reader.raw() == HEX ? HEX_FORMAT.formatHex(digest) : reader.text();
        }
        return new Fingerprints(identity, content(reader));
    }

    private static @Nullable String content(FieldReader reader) {
        return switch (reader.raw()) {
            case ABSENT -> null;
            case HEX -> HEX_FORMAT.formatHex(reader.raw(DIGEST));
            default -> reader.text();
        };
    }

    /** Whether it is SHA-256 as it is always written: 64 hex digits in lower case. */
    private static boolean isDigest(String text) {
        if (text.length() != 2 * DIGEST) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
