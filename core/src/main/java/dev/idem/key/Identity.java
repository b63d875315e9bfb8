package dev.idem.key;

import dev.idem.json.CanonicalJson;
import dev.idem.json.JsonValues;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that make an operation this one and no other, in their canonical form: worked out once for the key, the
 * fingerprint and the warnings. One that is kept for many calls of the same operation also keeps what it has derived.
 */
public final class Identity {
    private final @Nullable Object plain;
    private final ByteBuffer canonical;

    // Written by any thread without a lock: whoever does not see them derives the same again.
    private @Nullable Derived last;
    private @Nullable List<String> warnings;
    private @Nullable Map<String, String> labels;

    private Identity(@Nullable Object plain) {
        this.plain = plain;
        this.canonical = CanonicalJson.plainBuffer(plain);
    }

    /**
     * Takes the fields as they are now; what happens to them later changes nothing.
     *
     * @param fields of the types that {@link JsonValues} lists
     * @throws dev.idem.json.JsonException if they have no JSON form
     */
    public static Identity of(@Nullable Object fields) {
        return new Identity(JsonValues.sorted(fields));
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
        MessageDigest sha256 = Sha256.take();
        PartsDigest digest = new PartsDigest(sha256)
                .tag(Fingerprint.TAG)
                .part("scope", scope)
                .part("operation", operation)
                .part(canonical);
        if (occurrence > 1) {
            digest.part("occurrence", Integer.toString(occurrence));
        }
        String fingerprint = digest.hex();
        Sha256.giveBack(sha256);
        return fingerprint;
    }

    /** What {@link Fingerprint#ofContent} gives for these fields. */
    String contentDigest() {
        MessageDigest sha256 = Sha256.take();
        String digest = new PartsDigest(sha256)
                .tag(Fingerprint.CONTENT_TAG)
                .part(canonical)
                .hex();
        Sha256.giveBack(sha256);
        return digest;
    }

    /** The key and the fingerprint. */
    public Named named(String scope, String operation, int occurrence) {
        Derived known = last;
        if (known == null || !known.isOf(scope, operation, occurrence)) {
            known = new Derived(scope, operation, occurrence, derive(scope, operation, occurrence));
            last = known;
        }
        return known.named;
    }

    private Named derive(String scope, String operation, int occurrence) {
        if (operation.isEmpty()) {
            throw new IllegalArgumentException("An operation needs a name to derive a key from");
        }
        String fingerprint = fingerprint(scope, operation, occurrence);
        return new Named(Key.ofFingerprint(fingerprint), fingerprint);
    }

    /** What is derived from an identity. */
    public record Named(Key key, String fingerprint) {}

    private record Derived(String scope, String operation, int occurrence, Named named) {
        boolean isOf(String otherScope, String otherOperation, int otherOccurrence) {
            return occurrence == otherOccurrence && scope.equals(otherScope) && operation.equals(otherOperation);
        }
    }

    /** What {@link VolatileFields#warnings} gives for these fields. */
    public List<String> warnings() {
        List<String> known = warnings;
        if (known == null) {
            known = VolatileFields.ofPlain(plain);
            warnings = known;
        }
        return known;
    }

    /**
     * The fields as labels that a person can search for: each field under its name, or a single value under {@code
     * identity}. Long values are cut. A field is left out where its name can't be that of a label or sounds like a secret
     * ({@code password}, {@code token} …), and where it holds fields of its own.
     */
    public Map<String, String> labels() {
        Map<String, String> known = labels;
        if (known == null) {
            known = IdentityLabels.of(plain);
            labels = known;
        }
        return known;
    }
}
