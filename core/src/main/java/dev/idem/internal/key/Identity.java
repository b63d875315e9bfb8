package dev.idem.internal.key;

import dev.idem.internal.json.CanonicalJson;
import dev.idem.internal.json.JsonValues;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that make an operation this one and no other, in their canonical form: worked out once for the key, the
 * fingerprint and the warnings.
 */
public final class Identity {
    private final @Nullable Object plain;
    private final byte[] canonical;

    private Identity(@Nullable Object plain) {
        this.plain = plain;
        this.canonical = CanonicalJson.plainBytes(plain);
    }

    /**
     * Takes the fields as they are now; what happens to them later changes nothing.
     *
     * @param fields of the types that {@link JsonValues} lists
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static Identity of(@Nullable Object fields) {
        return new Identity(JsonValues.of(fields));
    }

    /** What {@link Key#derive(String, String, Object, int)} gives for these fields. */
    public Key key(String scope, String operation, int occurrence) {
        return named(scope, operation, occurrence).key();
    }

    /** What {@link Fingerprint#of(String, String, Object, int)} gives for these fields. */
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

    /** What {@link Fingerprint#ofContent} gives for these fields. */
    String contentDigest() {
        return new PartsDigest(Fingerprint.CONTENT_TAG).part(canonical).hex();
    }

    /** The key and the fingerprint. */
    public Named named(String scope, String operation, int occurrence) {
        if (operation.isEmpty()) {
            throw new IllegalArgumentException("An operation needs a name to derive a key from");
        }
        String fingerprint = fingerprint(scope, operation, occurrence);
        return new Named(Key.ofFingerprint(fingerprint), fingerprint);
    }

    /** What is derived from an identity. */
    public record Named(Key key, String fingerprint) {}

    /** What {@link VolatileFields#warnings} gives for these fields. */
    public List<String> warnings() {
        return VolatileFields.ofPlain(plain);
    }

    /**
     * The fields as labels that a person can search for: each field under its name, or a single value under {@code
     * identity}. Long values are cut. A field is left out where its name can't be that of a label or sounds like a secret
     * ({@code password}, {@code token} …), and where it holds fields of its own.
     */
    public Map<String, String> labels() {
        return IdentityLabels.of(plain);
    }
}
