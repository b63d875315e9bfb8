package dev.idem.key;

import dev.idem.json.CanonicalJson;
import dev.idem.json.JsonValues;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
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

    /** What {@link Fingerprint#of(String, Object, int)} gives for these fields. */
    public String fingerprint(String operation, int occurrence) {
        MessageDigest sha256 = Sha256.take();
        String fingerprint = fingerprint(operation, occurrence, new PartsDigest(sha256));
        Sha256.giveBack(sha256);
        return fingerprint;
    }

    /** What {@link Fingerprint#ofContent} gives for these fields. */
    String contentDigest() {
        MessageDigest sha256 = Sha256.take();
        String digest = new PartsDigest(sha256)
                .tag(Fingerprint.CONTENT_TAG)
                .part(canonical)
                .hex("", Fingerprint.HEX_DIGITS);
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
        if (occurrence < 1) {
            throw new IllegalArgumentException("Occurrences count from 1, not from " + occurrence);
        }
        MessageDigest sha256 = Sha256.take();
        PartsDigest digest = new PartsDigest(sha256);
        Key key = Key.ofDigest(parts(digest.tag(Key.TAG).part("scope", scope), operation, occurrence));
        Named named = new Named(key, fingerprint(operation, occurrence, digest));
        Sha256.giveBack(sha256);
        return named;
    }

    private String fingerprint(String operation, int occurrence, PartsDigest digest) {
        return parts(digest.tag(Fingerprint.OPERATION_TAG), operation, occurrence)
                .hex("", Fingerprint.HEX_DIGITS);
    }

    private PartsDigest parts(PartsDigest digest, String operation, int occurrence) {
        digest.part("operation", operation).part(canonical);
        return occurrence > 1 ? digest.part("occurrence", Integer.toString(occurrence)) : digest;
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
}
