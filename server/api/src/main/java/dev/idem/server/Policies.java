package dev.idem.server;

import dev.idem.OnDoubt;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import dev.idem.agent.provider.Provider;
import dev.idem.spi.FieldLimits;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Policies in requests and answers. */
final class Policies {
    private Policies() {}

    /** Reads a policy: text with one option in each line, or an object with the same options. */
    static Policy read(@Nullable Object given) {
        if (given == null) {
            return Policy.unset();
        }
        String text;
        if (given instanceof String rules) {
            text = rules;
        } else if (given instanceof Map<?, ?> options) {
            text = options.entrySet().stream()
                    .filter(each -> each.getValue() != null)
                    .map(each -> each.getKey() + ": " + oneLine(each.getKey(), each.getValue()))
                    .collect(Collectors.joining("\n"));
        } else {
            throw ApiException.malformed("'policy' must be an object, or a text with one option in each line");
        }
        if (text.length() > FieldLimits.TEXT) {
            throw ApiException.malformed(
                    "'policy' has " + text.length() + " characters; it has at most " + FieldLimits.TEXT);
        }
        Policy policy;
        try {
            policy = Policy.parse(text, Provider::remote);
        } catch (IllegalArgumentException e) {
            throw ApiException.malformed("'policy': " + e.getMessage());
        }
        try {
            TicketText.lease(policy.lease());
        } catch (IllegalArgumentException e) {
            throw ApiException.malformed("'policy': " + e.getMessage() + ". Nothing was claimed");
        }
        if (policy.transaction() != null) {
            throw ApiException.malformed(
                    "'policy': transaction is for Java programs that share a connection with the ledger; leave it out");
        } else if (policy.sideEffect() == SideEffect.READ) {
            throw ApiException.malformed("'policy': side_effect: read needs no claim; run it. Nothing was claimed");
        }
        return policy;
    }

    private static String oneLine(Object name, Object value) {
        String text = String.valueOf(value);
        if (value instanceof Map || value instanceof Iterable || text.indexOf('\n') >= 0) {
            throw ApiException.malformed("'policy." + name + "' must be a text of one line, a number, true or false");
        }
        return text;
    }

    /** The policy in force, with every default. */
    static Map<String, @Nullable Object> fields(Policy policy) {
        OnDoubt onDoubt = policy.onDoubt();
        RemoteKeys remote = policy.passesKeyTo();
        Integer retry = policy.retry();
        return new Answer()
                .with("side_effect", word(policy.sideEffect()))
                .withMillis("lease_ms", policy.lease())
                .withMillis("time_limit_ms", policy.timeLimit())
                .withMillis("wait_ms", policy.waitFor())
                .withMillis("retention_ms", policy.retention().keep())
                .withMillis("tombstone_ms", policy.retention().tombstone())
                .with("on_doubt", onDoubt == null ? null : word(onDoubt))
                .withMillis("probe_grace_ms", policy.probeGrace())
                .with("passes_key_to", remote == null ? null : remote.name())
                .withMillis("remote_remembers_ms", remote == null ? null : remote.retention())
                .with("reworded", word(policy.onReworded()))
                .with("repeat", word(policy.onRepeat()))
                .with("keep_failures", policy.keepsFailures())
                .with("staged", policy.isStaged())
                .with("approval", policy.needsApproval())
                .with("interrupt", policy.isInterruptible())
                .with("retry", retry)
                .members();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
