package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Key;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.Provenance;
import dev.idem.spi.Labels;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a call: its identity here, its treatment in its {@link Policy}. A call makes several copies, so a
 * plan holds no field that only few calls need.
 *
 * @param identity the fields that make it this operation; null where none were given
 * @param content the fields that may be reworded; null where none were given
 */
public record Plan(
        String operation,
        String scope,
        @Nullable String key,
        @Nullable Given identity,
        @Nullable Given content,
        int occurrence,
        Map<String, String> labels,
        Type type,
        Policy policy,
        @Nullable Probe<?> probe,
        @Nullable Consumer<? super Provenance> observer) {
    /** The label that keeps an id readable where the key is only a digest of it. */
    public static final String ID_LABEL = "id";

    /** A plan without a name, with every option unset. */
    public static final Plan UNSET = new Plan(
            "", Address.DEFAULT_SCOPE, null, null, null, 1, Map.of(), Object.class, Policy.unset(), null, null);

    /** A given value, which may be null. */
    public record Given(@Nullable Object value) {
        /** Keeps the value out of logs: it may hold personal data. */
        @Override
        public String toString() {
            return "...";
        }
    }

    public Plan withOperation(String name) {
        return new Plan(name, scope, key, identity, content, occurrence, labels, type, policy, probe, observer);
    }

    /** Throws {@link IllegalArgumentException} if the name is blank. */
    public Plan withScope(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("the scope is blank, and all calls with a blank one would share their"
                    + " results. Give the task or the tenant, such as order-7, or no scope at all");
        }
        return new Plan(operation, name, key, identity, content, occurrence, labels, type, policy, probe, observer);
    }

    public Plan withKey(String text) {
        return new Plan(operation, scope, text, identity, content, occurrence, labels, type, policy, probe, observer);
    }

    /** With the key of an external id, which may be any text. */
    public Plan withId(String id) {
        String derived = Key.ofId(id).value();
        return derived.equals(id) || labels.containsKey(ID_LABEL)
                ? withKey(derived)
                : withKey(derived).withLabel(ID_LABEL, Labels.value(id));
    }

    public Plan withIdentity(@Nullable Object fields) {
        return new Plan(
                operation, scope, key, new Given(fields), content, occurrence, labels, type, policy, probe, observer);
    }

    public Plan withContent(@Nullable Object fields) {
        return new Plan(
                operation, scope, key, identity, new Given(fields), occurrence, labels, type, policy, probe, observer);
    }

    public Plan withOccurrence(int number) {
        return new Plan(operation, scope, key, identity, content, number, labels, type, policy, probe, observer);
    }

    public Plan withLabel(String name, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(name, value);
        return new Plan(operation, scope, key, identity, content, occurrence, more, type, policy, probe, observer);
    }

    public Plan withType(Type other) {
        return new Plan(operation, scope, key, identity, content, occurrence, labels, other, policy, probe, observer);
    }

    public Plan withPolicy(Policy options) {
        return new Plan(operation, scope, key, identity, content, occurrence, labels, type, options, probe, observer);
    }

    public Plan withProbe(Probe<?> other) {
        return new Plan(operation, scope, key, identity, content, occurrence, labels, type, policy, other, observer);
    }

    public Plan withObserver(Consumer<? super Provenance> other) {
        return new Plan(operation, scope, key, identity, content, occurrence, labels, type, policy, probe, other);
    }
}
