package dev.idem.internal;

import dev.idem.entry.Fingerprints;
import dev.idem.key.Fingerprint;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of calls that are guarded by their operation's name alone. Programs have few operations and call
 * them often, so the last ones are remembered, a fixed number of them.
 */
final class NameFingerprints {
    private static final int SLOTS = 256;

    private final AtomicReferenceArray<@Nullable Known> known = new AtomicReferenceArray<>(SLOTS);

    Fingerprints of(String operation) {
        int slot = operation.hashCode() & (SLOTS - 1);
        Known here = known.get(slot);
        if (here == null || !here.operation.equals(operation)) {
            here = new Known(operation, new Fingerprints(Fingerprint.of(operation, null), null));
            known.set(slot, here);
        }
        return here.fingerprints;
    }

    private record Known(String operation, Fingerprints fingerprints) {}
}
