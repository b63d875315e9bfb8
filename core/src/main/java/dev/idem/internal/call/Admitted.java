package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Policy;
import dev.idem.spi.Fingerprints;
import org.jspecify.annotations.Nullable;

/**
 * A call that may ask for its entry.
 *
 * @param parent the operation around it, if there is one of the same engine
 */
record Admitted(Plan plan, Subject subject, @Nullable Address parent) {
    Address address() {
        return subject.address();
    }

    Fingerprints fingerprints() {
        return subject.fingerprints();
    }

    Policy policy() {
        return plan.policy();
    }
}
