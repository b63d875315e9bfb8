package dev.idem.agent.approval;

import dev.idem.Address;
import dev.idem.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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

    /** Fields that hold secrets. A person who approves must see all others, such as the number of an account. */
    private static final Pattern SECRET =
            Pattern.compile("(?i).*(passw|secret|token|api.?key|private.?key|credential|cookie|authorization).*");

    String summary() {
        return call.operation()
                + arguments.entrySet().stream()
                        .map(field ->
                                field.getKey() + ": " + shortened(Json.write(masked(field.getKey(), field.getValue()))))
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private static @Nullable Object masked(Object name, @Nullable Object value) {
        if (value != null && SECRET.matcher(String.valueOf(name)).matches()) {
            return "***";
        } else if (value instanceof Map<?, ?> fields) {
            Map<String, @Nullable Object> masked = new LinkedHashMap<>();
            fields.forEach((inner, each) -> masked.put(String.valueOf(inner), masked(inner, each)));
            return masked;
        } else if (value instanceof List<?> elements) {
            List<@Nullable Object> masked = new ArrayList<>();
            elements.forEach(each -> masked.add(masked("", each)));
            return masked;
        }
        return value;
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
