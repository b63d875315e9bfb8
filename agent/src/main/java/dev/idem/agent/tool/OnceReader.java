package dev.idem.agent.tool;

import dev.idem.Policy;
import dev.idem.SideEffect;
import dev.idem.TransactionMode;
import dev.idem.agent.provider.Provider;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Adds the declaration of a {@link Once} to a tool. */
final class OnceReader {
    private OnceReader() {}

    static <I> ToolBuilder<I> declared(Once once, ToolBuilder<I> tool) {
        ToolBuilder<I> builder = tool.annotated(once).tags(once.tags()).labels(once.labels());
        builder = once.identity().length == 0 ? builder : builder.identity(once.identity());
        builder = once.content().length == 0 ? builder : builder.content(once.content());
        builder = once.ignore().length == 0 ? builder : builder.ignore(once.ignore());
        builder = once.description().isEmpty() ? builder : builder.description(once.description());
        builder = once.sharedIn().isEmpty() ? builder : builder.sharedIn(once.sharedIn());
        builder = builder.makesStale(once.makesStale());
        try {
            for (TransactionMode mode : once.transaction()) {
                builder = builder.policy(Policy.unset().transaction(mode));
            }
            return builder.policy(Policy.parse(text(once), Provider::remote));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@Once of tool '" + tool.name() + "': " + e.getMessage(), e);
        }
    }

    /** An annotation is one declaration, so that its options are checked together. */
    private static String text(Once once) {
        String sideEffect = Arrays.stream(once.value())
                .reduce(SideEffect::and)
                .map(SideEffect::word)
                .orElse("");
        String definite = Arrays.stream(once.definiteOn()).map(Class::getName).collect(Collectors.joining(", "));
        return line("side_effect", sideEffect)
                + line("retention", once.retention())
                + line("time_limit", once.timeLimit())
                + line("definite_on", definite)
                + line("passes_key_to", once.passesKeyTo())
                + line("approval", once.approval() ? "true" : "");
    }

    private static String line(String option, String value) {
        return value.isEmpty() ? "" : option + ": " + value + "\n";
    }
}
