package dev.idem.internal.key;

import org.jspecify.annotations.Nullable;

/**
 * SHA-256 of the use of a key: 64 hexadecimal digits in lower case. It distinguishes a retry from another operation
 * with the same key.
 */
public final class Fingerprint {
    static final String TAG = "idem/1\n";
    static final String CONTENT_TAG = "idem-content/1\n";

    private Fingerprint() {}

    /**
     * The fingerprint of an operation and its identity: SHA-256 over
     *
     * <ol>
     *   <li>the seven ASCII bytes {@code idem/1\n},
     *   <li>the scope, the operation, and the identity as {@link dev.idem.internal.json.CanonicalJson canonical JSON}, each as
     *       four bytes of length (big-endian) followed by that many bytes of UTF-8.
     * </ol>
     *
     * The encoding never changes: stored entries depend on it.
     *
     * @param scope the scope in which the key is unique; may be empty
     * @param operation the stable name of the operation
     * @param identity of the types that {@link dev.idem.internal.json.JsonValues} lists
     * @throws dev.idem.JsonException if the identity has no JSON form
     * @throws IllegalArgumentException if a text holds half of a surrogate pair
     */
    public static String of(String scope, String operation, @Nullable Object identity) {
        return of(scope, operation, identity, 1);
    }

    /**
     * The fingerprint of a deliberate repeat. Occurrence 1 is {@link #of(String, String, Object)}; from 2 on, the
     * occurrence in decimal digits follows the identity as a fourth part.
     *
     * @throws dev.idem.JsonException if the identity has no JSON form
     * @throws IllegalArgumentException if the occurrence is less than 1
     */
    public static String of(String scope, String operation, @Nullable Object identity, int occurrence) {
        return Identity.of(identity).fingerprint(scope, operation, occurrence);
    }

    /**
     * The digest of the fields that may be reworded without making it another operation: SHA-256 over the ASCII bytes
     * {@code idem-content/1\n} and the content alone, encoded like an identity.
     *
     * @throws dev.idem.JsonException if the content has no JSON form
     */
    public static String ofContent(@Nullable Object content) {
        return Identity.of(content).contentDigest();
    }
}
