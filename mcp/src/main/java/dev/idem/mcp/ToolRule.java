package dev.idem.mcp;

import dev.idem.Policy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the rules say about one tool.
 *
 * @param identity the arguments that identify a call; empty for all
 * @param key a JSON pointer to the argument that is the key; null where there is none
 * @param errorsAreFailures whether a result with {@code isError} means that nothing happened
 */
record ToolRule(
        Policy policy,
        List<String> identity,
        @Nullable String key,
        boolean errorsAreFailures,
        @Nullable ProbeRule probe) {

    static final ToolRule NONE = new ToolRule(Policy.unset(), List.of(), null, false, null);

    /**
     * Another tool of the same server that finds out whether a call took effect.
     *
     * @param arguments its arguments; {@code {to}} in a text stands for the argument {@code to} of the call in doubt
     * @param found a JSON pointer into its result: a value there means that the call took effect
     * @param absentIsProof whether nothing there means that the call did not take effect; else it means nothing
     */
    record ProbeRule(String tool, Map<String, @Nullable Object> arguments, String found, boolean absentIsProof) {}
}
