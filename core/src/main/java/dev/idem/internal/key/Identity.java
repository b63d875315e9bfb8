package dev.idem.internal.key;

import dev.idem.internal.json.CanonicalJson;
import dev.idem.internal.json.JsonValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The identifying fields of an operation in canonical form, computed once for the key, the fingerprint and the
 * warnings.
 */
public final class Identity {
    private static final String KEY_PREFIX = "idem_";
    private static final int KEY_DIGITS = 32;

    private final @Nullable Object plain;
    private final byte[] canonical;

    private Identity(@Nullable Object plain) {
        this.plain = plain;
        this.canonical = CanonicalJson.plainBytes(plain);
    }

    /**
     * Takes the current fields; later changes to them have no effect.
     *
     * @param fields of the types that {@link JsonValues} lists
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static Identity of(@Nullable Object fields) {
        return new Identity(JsonValues.of(fields));
    }

    /** The text of {@link dev.idem.Key#derive(String, String, Object, int)} of these fields. */
    public String key(String scope, String operation, int occurrence) {
        return named(scope, operation, occurrence).key();
    }

    /** {@link Fingerprint#of(String, String, Object, int)} of these fields. */
    public String fingerprint(String scope, String operation, int occurrence) {
        if (occurrence < 1) {
            throw new IllegalArgumentException("Occurrences count from 1, not from " + occurrence);
        }
        PartsDigest digest = new PartsDigest(Fingerprint.TAG)
                .part("scope", scope)
                .part("operation", operation)
                .part(canonical);
        if (occurrence > 1) {
            digest.part("occurrence", Integer.toString(occurrence));
        }
        return digest.hex();
    }

    /** {@link Fingerprint#ofContent} of these fields. */
    String contentDigest() {
        return new PartsDigest(Fingerprint.CONTENT_TAG).part(canonical).hex();
    }

    /** The key and the fingerprint. */
    public Named named(String scope, String operation, int occurrence) {
        if (operation.isEmpty()) {
            throw new IllegalArgumentException("An operation needs a name to derive a key from");
        }
        String fingerprint = fingerprint(scope, operation, occurrence);
        return new Named(KEY_PREFIX + fingerprint.substring(0, KEY_DIGITS), fingerprint);
    }

    /** The key and the fingerprint of an identity. */
    public record Named(String key, String fingerprint) {}

    /** {@link VolatileFields#warnings} of these fields. */
    public List<String> warnings() {
        return VolatileFields.ofPlain(plain);
    }

    /**
     * The fields as labels that a person can search for: each field under its name, or a single value under {@code
     * identity}. Long values are cut. A field is left out where its name can't be that of a label or sounds like a secret
     * ({@code password}, {@code token} …), where its value looks like one (a URL with a password, the number of a card …),
     * and where it holds fields of its own.
     */
    public Map<String, String> labels() {
        return IdentityLabels.of(plain);
    }
}
