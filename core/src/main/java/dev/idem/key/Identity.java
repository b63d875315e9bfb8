package dev.idem.key;

import dev.idem.json.CanonicalJson;
import dev.idem.json.JsonValues;
import java.util.List;
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
     * @throws dev.idem.json.JsonException if they have no JSON form
     */
    public static Identity of(@Nullable Object fields) {
        return new Identity(JsonValues.of(fields));
    }

    /** What {@link Key#derive(String, String, Object, int)} gives for these fields. */
    public Key key(String scope, String operation, int occurrence) {
        return Key.derived(scope, operation, canonical, occurrence);
    }

    /** What {@link Fingerprint#of(String, Object, int)} gives for these fields. */
    public String fingerprint(String operation, int occurrence) {
        return Fingerprint.ofCanonical(operation, canonical, occurrence);
    }

    /** What {@link VolatileFields#warnings} gives for these fields. */
    public List<String> warnings() {
        return VolatileFields.ofPlain(plain);
    }
}
