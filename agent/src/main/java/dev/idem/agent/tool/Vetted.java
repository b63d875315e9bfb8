package dev.idem.agent.tool;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Arguments that fit their tool, in the forms that a call needs.
 *
 * @param input the arguments as they came
 * @param bound the arguments as the tool's code takes them
 * @param arguments all arguments that the tool sees, as plain JSON values
 * @param identity the fields that identify the call
 * @param content the fields that a model may reword; null where the tool has none
 */
public record Vetted(
        ToolInput input,
        Object bound,
        Map<String, @Nullable Object> arguments,
        Map<String, @Nullable Object> identity,
        @Nullable Map<String, @Nullable Object> content) {
    /** Names only: arguments may hold secrets. */
    @Override
    public String toString() {
        return "Vetted" + arguments.keySet();
    }
}
