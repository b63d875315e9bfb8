package dev.idem.seal;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The keys results are sealed with, each under an id. The first one seals; all of them read. To rotate, put a new key
 * in front and keep the old one until the last entry it has sealed is gone.
 *
 * <p>In a file or a variable a key is written as {@code id:base64}, one a line (or separated by commas), the one that
 * seals first. Empty lines and lines that begin with {@code #} are skipped. An id is stored with every entry in clear
 * text; it has 1–32 letters, digits, dots, dashes or underscores. A key has 32 random bytes: {@code openssl rand
 * -base64 32}.
 *
 * <p>Immutable. {@link #toString()} shows ids alone.
 */
public final class SealKeys {
    private static final SealKeys NONE = new SealKeys(Map.of());
    private static final int BYTES = 32;
    /** Shorter than a key in base64, so that a misplaced key is never accepted and shown as an id. */
    private static final int LONGEST_ID = 32;

    /** The one that seals comes first. */
    private final Map<String, SecretKey> keys;

    private SealKeys(Map<String, SecretKey> keys) {
        this.keys = Collections.unmodifiableMap(keys);
    }

    /** No keys: nothing is sealed, and a sealed value is an error. */
    public static SealKeys none() {
        return NONE;
    }

    /**
     * A key that seals and reads.
     *
     * @throws IllegalArgumentException when the id is malformed or the key has not 32 bytes
     */
    public static SealKeys of(String id, byte[] key) {
        return NONE.alsoReading(id, key);
    }

    /**
     * These keys and an older one that only reads.
     *
     * @throws IllegalArgumentException when the id is malformed or taken, or the key has not 32 bytes
     */
    public SealKeys alsoReading(String id, byte[] key) {
        if (!isId(id)) {
            throw new IllegalArgumentException(
                    "the id of a seal key has 1-32 letters, digits, dots, dashes or underscores");
        }
        if (key.length != BYTES) {
            throw new IllegalArgumentException("seal key '" + id + "' has " + key.length + " bytes; it must have "
                    + BYTES + " (256 bits), for instance from: openssl rand -base64 " + BYTES);
        }
        Map<String, SecretKey> more = new LinkedHashMap<>(keys);
        if (more.put(id, new SecretKeySpec(key, "AES")) != null) {
            throw new IllegalArgumentException(
                    "seal key '" + id + "' is given twice; every key needs an id of its own");
        }
        return new SealKeys(more);
    }

    /**
     * Reads keys from a file that only its owner can read.
     *
     * @throws IllegalArgumentException when the file can't be read, others may read or write it, or it is malformed
     */
    public static SealKeys fromFile(Path file) {
        return SealKeyText.ofFile(file);
    }

    /**
     * Reads keys from an environment variable. Child processes inherit the variable, unlike a file.
     *
     * @throws IllegalArgumentException when the variable is not set or malformed
     */
    public static SealKeys fromEnvironment(String variable) {
        return SealKeyText.ofVariable(variable, System.getenv());
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The id of the key that seals. */
    String current() {
        return keys.keySet().iterator().next();
    }

    SecretKey sealing() {
        return Objects.requireNonNull(keys.get(current()));
    }

    @Nullable
    SecretKey find(String id) {
        return keys.get(id);
    }

    /** The ids for people: {@code 'b' (seals), 'a'}. */
    String ids() {
        StringBuilder text = new StringBuilder();
        for (String id : keys.keySet()) {
            text.append(text.isEmpty() ? "'" + id + "' (seals)" : ", '" + id + "'");
        }
        return text.toString();
    }

    /** Shows ids, and never a key. */
    @Override
    public String toString() {
        return "SealKeys[" + ids() + "]";
    }

    /** Without a regular expression, because every start of the command line loads this class. */
    private static boolean isId(String id) {
        boolean fits = !id.isEmpty() && id.length() <= LONGEST_ID;
        for (int i = 0; i < id.length() && fits; i++) {
            char c = id.charAt(i);
            fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
        }
        return fits;
    }
}
