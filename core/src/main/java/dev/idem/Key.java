package dev.idem;

import dev.idem.internal.key.Identity;
import dev.idem.internal.key.Sha256;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of one logical operation: 1 to 255 visible ASCII characters (0x21 to 0x7E).
 *
 * <p>Best is a key that the caller already has, such as a request id that survives retries; next best, one derived from
 * the fields that make it <em>this</em> operation.
 */
public record Key(String value) {
    private static final int MAX_LENGTH = 255;
    private static final Pattern DIGEST_OF_ID = Pattern.compile("id_[0-9a-f]{64}");
    private static final String INSTEAD = "; give another key, or an identity instead, which may be any text";

    /**
     * Takes a given key unchanged.
     *
     * @throws IllegalArgumentException if it is not 1 to 255 visible ASCII characters
     */
    public Key {
        if (value.isEmpty() || value.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "A key has 1 to " + MAX_LENGTH + " characters, this one has " + value.length() + INSTEAD);
        }
        int outside = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            outside |= c - '!' | '~' - c;
        }
        if (outside < 0) {
            throw new IllegalArgumentException(firstOutside(value));
        }
    }

    /**
     * A given key.
     *
     * @throws IllegalArgumentException if it is not 1 to 255 visible ASCII characters
     */
    public static Key of(String given) {
        return new Key(given);
    }

    /** Whether a text is a valid key: 1 to 255 visible ASCII characters. */
    public static boolean isKey(String text) {
        return !text.isEmpty() && text.length() <= MAX_LENGTH && text.chars().allMatch(c -> c >= '!' && c <= '~');
    }

    /**
     * The key for an external id of any characters and length: the id itself if it is a valid key, else {@code id_} and
     * its digest. Two ids never share a key.
     *
     * @throws IllegalArgumentException if the id is empty
     */
    public static Key ofId(String id) {
        if (id.isEmpty()) {
            throw new IllegalArgumentException("an id is empty, so nothing could tell one from another; give the id "
                    + "that the caller keeps over retries");
        }
        // An id that looks like a digest is digested too: else it could equal the digest of another id.
        return isKey(id) && !DIGEST_OF_ID.matcher(id).matches()
                ? new Key(id)
                : new Key("id_" + Sha256.ofCharacters(id));
    }

    /**
     * Derives a key from the identity of an operation, as {@link Operation#identity} does: {@code idem_} and the first 32
     * hexadecimal digits of SHA-256 over scope, operation and the identity as canonical JSON. The encoding never changes:
     * another encoding would have another prefix.
     *
     * @param scope the scope in which the key is unique, such as a session or tenant; may be empty
     * @param operation the stable name of the operation
     * @param identity the fields that make it this operation, of the types that {@link Json} lists
     * @throws JsonException if the identity has no JSON form
     * @throws IllegalArgumentException if the operation is empty, or a text holds half of a surrogate pair
     */
    public static Key derive(String scope, String operation, @Nullable Object identity) {
        return derive(scope, operation, identity, 1);
    }

    /**
     * Derives the key of a deliberate repeat. Occurrence 1 is {@link #derive(String, String, Object)}.
     *
     * @throws IllegalArgumentException if the occurrence is less than 1
     */
    public static Key derive(String scope, String operation, @Nullable Object identity, int occurrence) {
        return new Key(Identity.of(identity).key(scope, operation, occurrence));
    }

    private static String firstOutside(String value) {
        int at = 0;
        while (value.charAt(at) >= '!' && value.charAt(at) <= '~') {
            at++;
        }
        return String.format(
                "A key has visible ASCII characters only, this one has U+%04X at index %d%s",
                value.codePointAt(at), at, INSTEAD);
    }

    /** The key itself. */
    @Override
    public String toString() {
        return value;
    }
}
