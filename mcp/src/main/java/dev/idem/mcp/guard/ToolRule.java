package dev.idem.mcp.guard;

import dev.idem.Policy;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The rule for one tool.
 *
 * @param identity the arguments that identify a call; empty for all
 * @param key a JSON pointer to the argument that is the key; null where there is none
 * @param errorsAreFailures whether a result with {@code isError} means that nothing happened
 * @param asksBeforeActing whether a result that asks for input means that nothing happened
 * @param failedOn the texts of errors that mean that nothing happened, each with {@code *} for any text
 */
public record ToolRule(
        Policy policy,
        List<String> identity,
        @Nullable String key,
        boolean errorsAreFailures,
        boolean asksBeforeActing,
        List<Pattern> failedOn,
        @Nullable ProbeRule probe) {

    public static final ToolRule NONE = new ToolRule(Policy.unset(), List.of(), null, false, false, List.of(), null);

    /** Whether a result with {@code isError}, or an error, means that nothing happened. */
    boolean isFailure(Message response) {
        boolean reported = Boolean.TRUE.equals(response.result("isError"));
        String said = reported
                ? text(response.result("content"))
                : message(response.members().get("error"));
        return (reported && errorsAreFailures)
                || failedOn.stream().anyMatch(pattern -> pattern.matcher(said).matches());
    }

    private static String text(@Nullable Object content) {
        return content instanceof List<?> blocks
                ? blocks.stream()
                        .map(block -> block instanceof Map<?, ?> members ? String.valueOf(members.get("text")) : "")
                        .collect(Collectors.joining("\n"))
                        .strip()
                : "";
    }

    private static String message(@Nullable Object error) {
        return error instanceof Map<?, ?> members
                ? String.valueOf(members.get("message")).strip()
                : "";
    }

    /**
     * Another tool of the same server that finds out whether a call took effect.
     *
     * @param arguments its arguments; {@code {to}} in a text stands for the argument {@code to} of the call in doubt
     * @param found a JSON pointer into its result: a value there means that the call took effect
     * @param absentIsProof whether nothing there means that the call did not take effect; else it means nothing
     */
    public record ProbeRule(
            String tool, Map<String, @Nullable Object> arguments, String found, boolean absentIsProof) {}
}
