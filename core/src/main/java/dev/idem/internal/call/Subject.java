package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Warning;
import dev.idem.internal.key.Content;
import dev.idem.internal.key.Fingerprint;
import dev.idem.internal.key.Identity;
import dev.idem.spi.Fingerprints;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The address, the fingerprints and the warnings of a call.
 *
 * @param labels those of the call and of its thread, and the fields of its identity where details are kept
 */
record Subject(Address address, Fingerprints fingerprints, List<Warning> warnings, Map<String, String> labels) {
    /**
     * The fingerprints of a key alone. Scope and operation are left out: fingerprints are compared within one address,
     * which has both.
     */
    private static final Fingerprints KEY_ALONE = new Fingerprints(Fingerprint.of("", "", null), null);

    static Subject of(Plan plan, boolean keepsDetails) {
        String key = plan.key();
        Plan.Given given = plan.identity();
        if (key == null) {
            if (given == null) {
                throw new IllegalStateException("operation '" + plan.operation()
                        + "' has neither a key nor an identity, so nothing could tell a duplicate. Add .key(\"...\") "
                        + "with an id from the caller, or .identity(...) with the fields that make it this operation");
            }
            Identity identity = identity(given);
            Identity.Named named = identity.named(plan.scope(), plan.operation(), plan.occurrence());
            return new Subject(
                    address(plan, named.key()),
                    fingerprints(plan, named.fingerprint()),
                    warnings(identity),
                    labels(plan, identity, keepsDetails));
        }
        String occurring = plan.occurrence() == 1 ? key : key + "#" + plan.occurrence();
        if (given != null) {
            Identity identity = identity(given);
            String fingerprint = identity.fingerprint(plan.scope(), plan.operation(), plan.occurrence());
            return new Subject(
                    address(plan, occurring),
                    fingerprints(plan, fingerprint),
                    List.of(),
                    labels(plan, identity, keepsDetails));
        }
        // Without an identity, a given key is guarded by the content and the occurrence: the second "a" and the
        // first "a#2" have the same address.
        return new Subject(
                address(plan, occurring), ofGivenKey(plan), List.of(), AmbientLabels.over(Map.of(), plan.labels()));
    }

    private static Map<String, String> labels(Plan plan, Identity identity, boolean keepsDetails) {
        return AmbientLabels.over(keepsDetails ? identity.labels() : Map.of(), plan.labels());
    }

    private static Fingerprints ofGivenKey(Plan plan) {
        Plan.Given given = plan.content();
        Object content = given == null ? null : given.value();
        if (content == null && plan.occurrence() == 1) {
            return KEY_ALONE;
        }
        return new Fingerprints(content(content).fingerprint(plan.scope(), plan.operation(), plan.occurrence()), null);
    }

    private static Identity identity(Plan.Given given) {
        return given.value() instanceof Identity workedOut ? workedOut : Identity.of(given.value());
    }

    private static Address address(Plan plan, String key) {
        return new Address(plan.scope(), plan.operation(), key);
    }

    private static Fingerprints fingerprints(Plan plan, String ofIdentity) {
        Plan.Given given = plan.content();
        return new Fingerprints(
                ofIdentity, given == null ? null : content(given.value()).digest());
    }

    private static Content content(@Nullable Object given) {
        return given instanceof Content workedOut ? workedOut : Content.of(given);
    }

    private static List<Warning> warnings(Identity identity) {
        List<String> found = identity.warnings();
        if (found.isEmpty()) {
            return List.of();
        }
        return found.stream()
                .map(text -> new Warning(Warning.Code.VOLATILE_IDENTITY, text))
                .toList();
    }
}
