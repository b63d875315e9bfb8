package dev.idem.internal.key;

import org.jspecify.annotations.Nullable;

/** The fields that may be reworded without making it another operation, worked out once for many calls. */
public final class Content {
    private final Identity fields;
    private final String digest;

    private Content(Identity fields) {
        this.fields = fields;
        this.digest = fields.contentDigest();
    }

    /**
     * Takes the fields as they are now; what happens to them later changes nothing.
     *
     * @param fields of the types that {@link dev.idem.internal.json.JsonValues} lists
     * @throws dev.idem.JsonException if they have no JSON form
     */
    public static Content of(@Nullable Object fields) {
        return new Content(Identity.of(fields));
    }

    /** What {@link Fingerprint#ofContent} gives for these fields. */
    public String digest() {
        return digest;
    }

    /** What {@link Fingerprint#of(String, String, Object, int)} gives for these fields, where a given key has nothing else. */
    public String fingerprint(String scope, String operation, int occurrence) {
        return fields.fingerprint(scope, operation, occurrence);
    }
}
