package dev.idem.agent.approval;

import dev.idem.Address;
import dev.idem.Json;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A call that needs an approval.
 *
 * @param call its entry: session, tool and key
 * @param arguments all arguments as plain JSON values; an approval is bound to exactly these
 */
public record Wanted(Address call, Map<String, @Nullable Object> arguments) {
    private static final int LONGEST = 200;

    String summary() {
        return call.operation()
                + arguments.entrySet().stream()
                        .map(field -> field.getKey() + ": " + shortened(Json.write(field.getValue())))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }

    /** Names only: arguments may hold secrets. */
    @Override
    public String toString() {
        return "Wanted[" + call + " " + arguments.keySet() + "]";
    }
}
