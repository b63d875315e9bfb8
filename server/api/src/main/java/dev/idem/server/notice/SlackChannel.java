package dev.idem.server.notice;

import dev.idem.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Posts a message to an incoming webhook of Slack, which takes a repeat for another message. */
final class SlackChannel extends Channel {
    private final HttpSender http;

    SlackChannel(URI url) {
        super("slack", url.toString(), "Slack at " + host(url));
        this.http = new HttpSender(url);
    }

    @Override
    boolean dropsRepeats() {
        return false;
    }

    @Override
    Sent send(Message message) {
        byte[] body = Json.write(Map.of("text", text(message))).getBytes(StandardCharsets.UTF_8);
        return http.post(Map.of("Content-Type", "application/json"), body);
    }

    static String text(Message message) {
        String link = message.field("link");
        return escaped(message.text()) + (link.isEmpty() ? "" : "\n<" + escaped(link) + "|Look at it>");
    }

    /** Text from outside must be no link and mention nobody: both begin with a less-than sign. */
    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
