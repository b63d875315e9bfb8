package dev.idem.mcp.stdio;

import dev.idem.mcp.guard.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The messages of a host that began the conversation. A server that is started again gets them first. Thread-safe. */
final class OpeningMessages {
    private static final Set<String> ONE_OF_A_KIND =
            Set.of("initialize", "notifications/initialized", "logging/setLevel");

    private final Map<String, Message> messages = new LinkedHashMap<>();

    synchronized void remember(Message message) {
        String method = String.valueOf(message.members().get("method"));
        if (ONE_OF_A_KIND.contains(method)) {
            messages.put(method, message);
        } else if (method.equals("resources/subscribe")) {
            messages.put("subscribed " + message.param("uri"), message);
        } else if (method.equals("resources/unsubscribe")) {
            messages.remove("subscribed " + message.param("uri"));
        }
    }

    synchronized List<Message> messages() {
        return List.copyOf(messages.values());
    }
}
