package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/**
 * The hashes by which a ledger detects that a key is used for another operation.
 *
 * @param identity SHA-256 in hex over scope, operation and identity; null on entries imported without one
 * @param content SHA-256 in hex over the content, which may be reworded; null when there was none
 */
public record Fingerprints(
        @Nullable String identity, @Nullable String content) {
    /** No fingerprints: nothing is compared. */
    public static final Fingerprints NONE = new Fingerprints(null, null);

    /** Whether both sides have an identity and the two differ: the key was used for something else. */
    public boolean conflictsWith(Fingerprints other) {
        return identity != null && other.identity != null && !identity.equals(other.identity);
    }

    /** Whether an identity is missing on either side, so that nothing could be compared. */
    public boolean incomparableTo(Fingerprints other) {
        return identity == null || other.identity == null;
    }

    /** Whether both sides have content and the two differ: reworded. */
    public boolean rewordedFrom(Fingerprints other) {
        return content != null && other.content != null && !content.equals(other.content);
    }
}
