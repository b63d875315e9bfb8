package dev.idem.mcp.guard;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program of a host, as it has presented itself.
 *
 * @param name for people; the host chooses it
 * @param asks whether it can put a question with a form to its user
 */
public record Client(String name, boolean asks) {
    private static final int LONGEST_NAME = 60;

    /** A client with these capabilities; null where the host has told none. */
    public static @Nullable Client of(@Nullable Object capabilities, @Nullable Object info) {
        if (!(capabilities instanceof Map<?, ?> can)) {
            return null;
        }
        Object name = info instanceof Map<?, ?> told ? told.get("name") : null;
        // Before there was another way, the empty object meant a form.
        boolean asks = can.get("elicitation") instanceof Map<?, ?> ways && (ways.isEmpty() || ways.containsKey("form"));
        return new Client(name instanceof String text ? OneLine.of(text, LONGEST_NAME) : "an unnamed host", asks);
    }

    /** The person at this host, for the record. */
    String user() {
        return "user of " + name + ", " + System.getProperty("user.name", "unknown");
    }
}
