package dev.idem.internal.key;

import org.jspecify.annotations.Nullable;

/** The fields that may be reworded without making it another operation, digested once for many calls. */
public final class Content {
    private final Identity fields;
    private final String digest;

    private Content(Identity fields) {
        this.fields = fields;
        this.digest = fields.contentDigest();
    }

    /**
     * Takes the current fields; later changes to them have no effect.
     *
     * @param fields of the types that {@link dev.idem.internal.json.JsonValues} lists
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static Content of(@Nullable Object fields) {
        return new Content(Identity.of(fields));
    }

    /** {@link Fingerprint#ofContent} of these fields. */
    public String digest() {
        return digest;
    }

    /** {@link Fingerprint#of(String, String, Object, int)} of these fields, for a given key without an identity. */
    public String fingerprint(String scope, String operation, int occurrence) {
        return fields.fingerprint(scope, operation, occurrence);
    }
}
