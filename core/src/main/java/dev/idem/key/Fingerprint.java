package dev.idem.key;

import org.jspecify.annotations.Nullable;

/**
 * SHA-256 of what a key was used for: 64 hexadecimal digits in lower case, which tell a retry from another operation
 * under the same key.
 */
public final class Fingerprint {
    static final String OPERATION_TAG = "idem-fp/1\n";
    static final String CONTENT_TAG = "idem-content/1\n";
    static final int HEX_DIGITS = 64;

    private Fingerprint() {}

    /**
     * The fingerprint of an operation and its identity: SHA-256 over the ASCII bytes {@code idem-fp/1\n}, the operation,
     * and the identity as canonical JSON, each of the two as four bytes of length (big-endian) and that many bytes of
     * UTF-8.
     *
     * @throws dev.idem.json.JsonException if the identity has no JSON form
     */
    public static String of(String operation, @Nullable Object identity) {
        return of(operation, identity, 1);
    }

    /**
     * The fingerprint of a deliberate repeat under a given key. Occurrence 1 is {@link #of(String, Object)}; from 2 on,
     * the occurrence in decimal digits follows as a third part.
     *
     * @throws dev.idem.json.JsonException if the identity has no JSON form
     */
    public static String of(String operation, @Nullable Object identity, int occurrence) {
        return Identity.of(identity).fingerprint(operation, occurrence);
    }

    /**
     * The digest of the fields that may be reworded without making it another operation: as {@link #of}, over the tag
     * {@code idem-content/1\n} and the content alone.
     *
     * @throws dev.idem.json.JsonException if the content has no JSON form
     */
    public static String ofContent(@Nullable Object content) {
        return Identity.of(content).contentDigest();
    }
}
