package dev.idem.internal;

import dev.idem.Address;
import dev.idem.Warning;
import dev.idem.internal.key.Content;
import dev.idem.internal.key.Fingerprint;
import dev.idem.internal.key.Identity;
import dev.idem.spi.Fingerprints;
import java.util.List;
import java.util.Map;

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

    static Subject of(Plan plan, Engine engine) {
        String key = plan.key;
        if (key == null) {
            if (!plan.hasIdentity) {
                throw new IllegalStateException("operation '" + plan.operation
                        + "' has neither a key nor an identity, so nothing could tell a duplicate. Add .key(\"...\") "
                        + "with an id from the caller, or .identity(...) with the fields that make it this operation");
            }
            Identity identity = identity(plan);
            Identity.Named named = identity.named(plan.scope, plan.operation, plan.occurrence);
            return new Subject(
                    address(plan, named.key().value()),
                    fingerprints(plan, named.fingerprint()),
                    warnings(identity),
                    labels(plan, identity, engine));
        }
        String occurring = plan.occurrence == 1 ? key : key + "#" + plan.occurrence;
        if (plan.hasIdentity) {
            Identity identity = identity(plan);
            String fingerprint = identity.fingerprint(plan.scope, plan.operation, plan.occurrence);
            return new Subject(
                    address(plan, occurring),
                    fingerprints(plan, fingerprint),
                    List.of(),
                    labels(plan, identity, engine));
        }
        // Without an identity, a given key is guarded by the content and the occurrence: the second "a" and the
        // first "a#2" have the same address.
        return new Subject(
                address(plan, occurring), ofGivenKey(plan), List.of(), AmbientLabels.over(Map.of(), plan.labels));
    }

    private static Map<String, String> labels(Plan plan, Identity identity, Engine engine) {
        return AmbientLabels.over(engine.settings.keepsDetails() ? identity.labels() : Map.of(), plan.labels);
    }

    private static Fingerprints ofGivenKey(Plan plan) {
        if (plan.content == null && plan.occurrence == 1) {
            return KEY_ALONE;
        }
        return new Fingerprints(content(plan).fingerprint(plan.scope, plan.operation, plan.occurrence), null);
    }

    private static Identity identity(Plan plan) {
        return plan.identity instanceof Identity workedOut ? workedOut : Identity.of(plan.identity);
    }

    private static Address address(Plan plan, String key) {
        return new Address(plan.scope, plan.operation, key);
    }

    private static Fingerprints fingerprints(Plan plan, String ofIdentity) {
        return new Fingerprints(ofIdentity, plan.hasContent ? content(plan).digest() : null);
    }

    private static Content content(Plan plan) {
        return plan.content instanceof Content workedOut ? workedOut : Content.of(plan.content);
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
