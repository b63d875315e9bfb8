package dev.idem.agent.tool;

import dev.idem.Policy;
import dev.idem.Repeat;
import dev.idem.SideEffect;
import java.util.Map;
import java.util.Optional;

/** Reads the side effect from the hints that an MCP server gives its tools. */
public final class McpHints {
    private McpHints() {}

    /**
     * The policy that the hints declare: the side effect, and for an idempotent tool that a repeated call runs. Such a
     * tool sets something to a value, so its first result says nothing about the value now.
     */
    public static Policy policy(Map<?, ?> hints) {
        Policy policy = sideEffect(hints).map(Policy.unset()::sideEffect).orElse(Policy.unset());
        return Boolean.TRUE.equals(hints.get("idempotentHint")) ? policy.onRepeat(Repeat.RUN) : policy;
    }

    /**
     * The tool with trusted hints below its own declarations. The stricter side effect counts, and a repeated call runs
     * only where the tool declares no side effect itself: a WRITE whose server calls it idempotent stays a WRITE.
     *
     * @param hinted what {@link #policy} gives for the hints
     */
    public static Tool trusted(Tool declared, Policy hinted) {
        Policy below = declared.tagged() ? hinted.onRepeat(Repeat.REPLAY) : hinted;
        return declared.with(now -> now.policy(declared.policy().over(below)));
    }

    /**
     * The side effect of the hints; empty where there are none. Destructive wins over everything.
     *
     * @param hints {@code readOnlyHint}, {@code idempotentHint}, {@code destructiveHint}; other names are ignored
     */
    public static Optional<SideEffect> sideEffect(Map<?, ?> hints) {
        if (Boolean.TRUE.equals(hints.get("destructiveHint"))) {
            return Optional.of(SideEffect.DESTRUCTIVE);
        } else if (Boolean.TRUE.equals(hints.get("readOnlyHint"))) {
            return Optional.of(SideEffect.READ);
        } else if (Boolean.TRUE.equals(hints.get("idempotentHint"))) {
            return Optional.of(SideEffect.IDEMPOTENT);
        }
        return Boolean.FALSE.equals(hints.get("readOnlyHint")) ? Optional.of(SideEffect.WRITE) : Optional.empty();
    }
}
