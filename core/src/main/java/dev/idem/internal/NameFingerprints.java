package dev.idem.internal;

import dev.idem.entry.Fingerprints;
import dev.idem.key.Fingerprint;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of calls that are guarded by the names of their scope and operation alone. Programs have few of
 * them and use them often, so the last ones are remembered, a fixed number of them.
 */
final class NameFingerprints {
    private static final int SLOTS = 256;

    private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(SLOTS);

    Fingerprints of(String scope, String operation) {
        int slot = (31 * scope.hashCode() + operation.hashCode()) & (SLOTS - 1);
        Known here = known.get(slot);
        if (here == null || !here.operation.equals(operation) || !here.scope.equals(scope)) {
            here = new Known(scope, operation, new Fingerprints(Fingerprint.of(scope, operation, null), null));
            known.set(slot, here);
        }
        return here.fingerprints;
    }

    private record Known(String scope, String operation, Fingerprints fingerprints) {}
}
