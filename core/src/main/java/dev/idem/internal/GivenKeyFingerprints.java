package dev.idem.internal;

import dev.idem.internal.key.Fingerprint;
import dev.idem.spi.Fingerprints;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of calls with a given key, without identity and content. All calls of an operation in a scope have
 * the same one, so the digest is kept; it would be a third of a replay from memory.
 */
final class GivenKeyFingerprints {
    private static final int SLOTS = 64;

    /** Each slot has the newest of the operations that share it. */
    private final AtomicReferenceArray<@Nullable Known> slots = new AtomicReferenceArray<>(SLOTS);

    private record Known(String scope, String operation, int occurrence, Fingerprints fingerprints) {}

    Fingerprints of(String scope, String operation, int occurrence) {
        int slot = Math.floorMod(scope.hashCode() * 31 + operation.hashCode() + occurrence, SLOTS);
        Known known = slots.get(slot);
        if (known == null
                || known.occurrence != occurrence
                || !known.operation.equals(operation)
                || !known.scope.equals(scope)) {
            String identity = Fingerprint.of(scope, operation, null, occurrence);
            known = new Known(scope, operation, occurrence, new Fingerprints(identity, null));
            slots.set(slot, known);
        }
        return known.fingerprints;
    }
}
