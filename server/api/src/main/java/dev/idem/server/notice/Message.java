package dev.idem.server.notice;

import dev.idem.Json;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message to a receiver: about one call, or about many. Its body is the same each time it is sent.
 *
 * @param id the same for each repeat
 * @param data the fields that receivers get
 */
record Message(String id, String type, Instant at, Map<String, @Nullable Object> data) {
    /** More new calls than these are told together. */
    static final int APART = 5;

    private static final int MOST_LABELS = 10;

    /**
     * The types and fields of the messages about these calls.
     *
     * @param together whether they are told in one message in any case
     * @param link where the console is; null if nowhere
     */
    static List<Map<String, @Nullable Object>> about(List<Need> needs, boolean together, @Nullable URI link) {
        if (needs.size() > APART || (together && needs.size() > 1)) {
            return List.of(many(needs, link));
        }
        return needs.stream()
                .map(need -> {
                    Map<String, @Nullable Object> data = fields(need, link);
                    data.put("count", 1);
                    data.put("text", text(need));
                    return typed(need.kind().word(), data);
                })
                .toList();
    }

    private static Map<String, @Nullable Object> typed(String type, Map<String, @Nullable Object> data) {
        Map<String, @Nullable Object> typed = new LinkedHashMap<>();
        typed.put("type", "idem." + type);
        typed.put("data", data);
        return typed;
    }

    private static Map<String, @Nullable Object> many(List<Need> needs, @Nullable URI link) {
        Map<String, Integer> kinds = new LinkedHashMap<>();
        needs.forEach(need -> kinds.merge(need.kind().word(), 1, Integer::sum));
        List<Need> first = needs.subList(0, Math.min(APART, needs.size()));
        List<String> lines = new ArrayList<>();
        lines.add(needs.size() + " calls need a person");
        first.forEach(need -> lines.add("• " + headline(need) + " (" + where(need) + ")"));
        if (needs.size() > first.size()) {
            lines.add("… and " + (needs.size() - first.size()) + " more");
        }
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("count", needs.size());
        data.put("kinds", kinds);
        data.put("first", first.stream().map(need -> fields(need, link)).toList());
        data.put("link", link == null ? null : link + "#/");
        data.put("text", String.join("\n", lines));
        return typed("several", data);
    }

    private static Map<String, @Nullable Object> fields(Need need, @Nullable URI link) {
        Map<String, @Nullable Object> data = new LinkedHashMap<>();
        data.put("kind", need.kind().word());
        data.put("operation", need.address().operation());
        data.put("scope", need.address().scope());
        data.put("key", need.address().key());
        data.put("labels", labels(need));
        data.put("since", since(need));
        data.put("words", Plain.sentence(need.words()));
        data.put("link", link == null ? null : link + fragment(need));
        return data;
    }

    private static Map<String, String> labels(Need need) {
        Map<String, String> labels = new LinkedHashMap<>();
        need.labels().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .limit(MOST_LABELS)
                .forEach(label -> labels.put(label.getKey(), Plain.line(label.getValue())));
        return labels;
    }

    private static String since(Need need) {
        return need.since().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String text(Need need) {
        List<String> lines = new ArrayList<>();
        lines.add(headline(need));
        lines.add(where(need) + ", since " + since(need));
        labels(need).forEach((name, value) -> lines.add(name + ": " + value));
        return String.join("\n", lines);
    }

    private static String headline(Need need) {
        String event = need.kind() == Kind.GIVEN_UP
                ? "an event of " + need.address().scope()
                : need.address().operation();
        return Plain.line(event + " " + need.kind().told() + ": ") + Plain.sentence(need.words());
    }

    private static String where(Need need) {
        return Plain.line(
                "scope " + need.address().scope() + ", key " + need.address().key());
    }

    /** The place in the console. A call that waits for an approval has no entry yet. */
    private static String fragment(Need need) {
        return need.kind() == Kind.HELD
                ? "#/"
                : "#/entry?scope=" + encoded(need.address().scope()) + "&operation="
                        + encoded(need.address().operation()) + "&key="
                        + encoded(need.address().key());
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
    }

    /** The text for people. */
    String text() {
        return field("text");
    }

    /** A field of the call, as text; empty if there is none. */
    String field(String name) {
        Object value = data.get(name);
        return value == null ? "" : value.toString();
    }

    /** The body of a webhook. */
    byte[] json() {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        body.put("type", type);
        body.put("timestamp", at.toString());
        body.put("data", data);
        return Json.write(body).getBytes(StandardCharsets.UTF_8);
    }
}
