package dev.idem;

import dev.idem.spi.DurationText;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads a policy from text. */
final class PolicyText {
    private final Function<String, RemoteKeys> remotes;
    private final Set<PolicyOption> seen = EnumSet.noneOf(PolicyOption.class);
    private Policy policy = Policy.unset();

    private PolicyText(Function<String, RemoteKeys> remotes) {
        this.remotes = remotes;
    }

    static Policy parse(String text, Function<String, RemoteKeys> remotes) {
        PolicyText parser = new PolicyText(remotes);
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(parser::line);
        return parser.policy;
    }

    private void line(String line) {
        int colon = line.indexOf(':');
        String name = colon < 0 ? line : line.substring(0, colon).strip();
        String value = colon < 0 ? "" : line.substring(colon + 1).strip();
        PolicyOption option = word(PolicyOption.class, name, "policy option '" + name + "' is not known");
        if (!seen.add(option)) {
            throw new IllegalArgumentException("policy option '" + name + "' is there twice; remove one");
        }
        policy = set(option, name, value);
    }

    private Policy set(PolicyOption option, String name, String value) {
        return switch (option) {
            case SIDE_EFFECT ->
                policy.sideEffect(word(SideEffect.class, value, name + ": '" + value + "' is not known"));
            case LEASE -> policy.lease(duration(name, value));
            case TIME_LIMIT -> policy.timeLimit(duration(name, value));
            case WAIT -> policy.waitFor(duration(name, value));
            case RETENTION -> policy.retention(duration(name, value));
            case TOMBSTONE -> policy.tombstone(duration(name, value));
            case ON_DOUBT -> policy.onDoubt(word(OnDoubt.class, value, name + ": '" + value + "' is not known"));
            case PROBE_GRACE -> policy.probeGrace(duration(name, value));
            case PASSES_KEY_TO -> policy.passesKeyTo(remotes.apply(value));
            case DEFINITE_ON -> policy.classify(named(List.of(value.split("\\s*,\\s*"))));
            case REWORDED -> policy.onReworded(word(Reworded.class, value, name + ": '" + value + "' is not known"));
            case REPEAT -> policy.onRepeat(word(Repeat.class, value, name + ": '" + value + "' is not known"));
            case KEEP_FAILURES -> flag(name, value) ? policy.keepFailures() : policy;
            case STAGED -> flag(name, value) ? policy.staged() : policy;
            case INTERRUPT -> flag(name, value) ? policy.interruptible() : policy;
            case RETRY -> policy.retry(number(name, value));
            case APPROVAL -> flag(name, value) ? policy.approval() : policy;
            case TRANSACTION ->
                policy.transaction(word(TransactionMode.class, value, name + ": '" + value + "' is not known"));
        };
    }

    /** A classifier by the names of classes and superclasses. It loads no class that the text names. */
    private static Classifier named(List<String> kinds) {
        return thrown -> {
            for (Class<?> kind = thrown.getClass(); kind != null; kind = superclass(kind)) {
                if (kinds.contains(kind.getName())) {
                    return Classifier.Judgement.DEFINITE;
                }
            }
            return Classifier.Judgement.UNDECIDED;
        };
    }

    private static @Nullable Class<?> superclass(Class<?> kind) {
        return kind.getSuperclass();
    }

    private static boolean flag(String name, String value) {
        if (!value.equals("true") && !value.equals("false")) {
            throw new IllegalArgumentException(name + ": '" + value + "' is neither true nor false");
        }
        return value.equals("true");
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + ": '" + value + "' is no number; write for instance 3", e);
        }
    }

    private static Duration duration(String name, String value) {
        return DurationText.parse(value)
                .orElseThrow(() -> new IllegalArgumentException(
                        name + ": '" + value + "' is no duration; write for instance 500ms, 30s, 5m, 24h or 7d"));
    }

    private static <E extends Enum<E>> E word(Class<E> type, String word, String unknown) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(unknown + "; use "
                        + Arrays.stream(type.getEnumConstants())
                                .map(each -> each.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }
}
