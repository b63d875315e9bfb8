package dev.idem.server;

import dev.idem.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The description of the API over HTTP as an OpenAPI 3.1 document, made of the table of the protocol. Requests are closed,
 * since the server refuses members that it does not know. Answers are open: a later server may say more.
 */
final class OpenApi {
    private static final String TABLE = "protocol.txt";
    private static final String MORE = "+ ";
    private static final String PROBLEM = "Problem";

    private final Map<String, String> types = new LinkedHashMap<>();
    private final Map<String, Object> schemas = new LinkedHashMap<>();
    /** The members of each answer, by the method and the word of the answer. */
    private final Map<String, Map<String, List<String>>> answers = new LinkedHashMap<>();

    private OpenApi() {}

    /** The document as JSON, for methods that need these rights. */
    static String document(Map<String, String> rights) {
        OpenApi made = new OpenApi();
        made.read(lines());
        return Json.writePlain(made.whole(rights));
    }

    /** The lines of the table, those that go on with {@code +} put together. */
    private static List<String> lines() {
        List<String> lines = new ArrayList<>();
        try (InputStream in = Objects.requireNonNull(OpenApi.class.getResourceAsStream(TABLE))) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                String text = line.strip();
                if (text.startsWith(MORE)) {
                    int last = lines.size() - 1;
                    lines.set(last, lines.get(last) + " " + text.substring(MORE.length()));
                } else if (!text.isEmpty() && text.charAt(0) != '#') {
                    lines.add(text);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }

    private void read(List<String> lines) {
        Map<String, List<String>> structs = new LinkedHashMap<>();
        Map<String, List<String>> requests = new LinkedHashMap<>();
        Map<String, List<String>> current = Map.of();
        for (String line : lines) {
            String head = line.substring(0, line.indexOf(':'));
            List<String> members = words(line.substring(head.length() + 1));
            String name = head.substring(head.indexOf(' ') + 1);
            if (head.startsWith("type ")) {
                members.forEach(member -> types.put(member, name));
            } else if (head.startsWith("struct ")) {
                structs.computeIfAbsent(name, first -> new ArrayList<>()).addAll(members);
            } else if (head.startsWith("method ")) {
                requests.put(name, members);
                current = answers.computeIfAbsent(name, first -> new LinkedHashMap<>());
            } else if (head.startsWith("like ")) {
                for (String word : members) {
                    current.put(word, Objects.requireNonNull(answers.get(name)).get(word));
                }
            } else {
                current.put(head, members);
            }
        }
        structs.forEach((name, members) -> schemas.put(name, object(members)));
        requests.forEach((method, members) -> schemas.put(method + ".request", closed(object(members))));
        answers.forEach((method, each) -> schemas.put(method + ".answer", answer(each)));
        schemas.put(
                PROBLEM,
                Map.of(
                        "type", "object",
                        "required", List.of("type", "status", "code", "detail"),
                        "properties",
                                Map.of(
                                        "type", Map.of("type", "string"),
                                        "status", Map.of("type", "integer"),
                                        "code", Map.of("enum", codes()),
                                        "detail", Map.of("type", "string"))));
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.strip().split(" +", -1))
                .filter(word -> !word.isEmpty())
                .toList();
    }

    private static List<String> codes() {
        List<String> codes = new ArrayList<>(
                Arrays.stream(ApiError.values()).map(ApiError::word).toList());
        codes.add("not_found");
        return codes;
    }

    private static Map<String, Object> closed(Map<String, Object> object) {
        object.put("additionalProperties", false);
        return object;
    }

    /** One of the answers, which their word tells apart. */
    private Map<String, Object> answer(Map<String, List<String>> each) {
        List<Object> all = new ArrayList<>();
        each.forEach((word, members) -> {
            List<String> with = new ArrayList<>(List.of("answer:=" + word));
            with.addAll(members);
            all.add(object(with));
        });
        return Map.of("oneOf", all);
    }

    private Map<String, Object> object(List<String> members) {
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (String member : members) {
            boolean optional = member.endsWith("?");
            String typed = optional ? member.substring(0, member.length() - 1) : member;
            boolean list = typed.endsWith("[]");
            String[] parts = (list ? typed.substring(0, typed.length() - 2) : typed).split(":", 2);
            String name = parts[0];
            Map<String, Object> type = type(parts.length == 2 ? parts[1] : types.getOrDefault(name, "text"));
            properties.put(name, list ? Map.of("type", "array", "items", type) : type);
            if (!optional) {
                required.add(name);
            }
        }
        Map<String, Object> object = new LinkedHashMap<>(Map.of("type", "object", "properties", properties));
        if (!required.isEmpty()) {
            object.put("required", required);
        }
        return object;
    }

    private static Map<String, Object> type(String word) {
        return switch (word) {
            case "text" -> Map.of("type", "string");
            case "int" -> Map.of("type", "integer");
            case "time" -> Map.of("type", "string", "format", "date-time");
            case "flag" -> Map.of("type", "boolean");
            case "any" -> Map.of();
            case "object" -> Map.of("type", "object");
            case "texts" -> Map.of("type", "object", "additionalProperties", Map.of("type", "string"));
            case "policy" -> Map.of("type", List.of("object", "string"));
            default -> word.startsWith("=") ? Map.of("const", word.substring(1)) : reference(word);
        };
    }

    private static Map<String, Object> reference(String schema) {
        return Map.of("$ref", "#/components/schemas/" + schema);
    }

    private Map<String, Object> whole(Map<String, String> rights) {
        Map<String, Object> paths = new LinkedHashMap<>();
        answers.keySet().forEach(method -> paths.put("/v1/" + method, Map.of("post", post(method, rights))));
        paths.put("/v1/events", Map.of("get", events()));
        paths.put("/healthz", Map.of("get", open("whether the server runs", "text/plain")));
        paths.put("/readyz", Map.of("get", open("whether its ledger answers", "text/plain")));
        paths.put("/openapi.json", Map.of("get", open("this document", "application/json")));
        paths.put(
                "/metrics",
                Map.of("get", get("numbers for Prometheus; needs the right read in all scopes", "text/plain")));
        Map<String, Object> whole = new LinkedHashMap<>();
        whole.put("openapi", "3.1.0");
        whole.put("info", Map.of("title", "idem serve", "version", String.valueOf(Api.PROTOCOL)));
        whole.put("servers", List.of(Map.of("url", "./")));
        whole.put("security", List.of(Map.of("token", List.of())));
        whole.put("paths", paths);
        whole.put(
                "components",
                Map.of(
                        "schemas",
                        schemas,
                        "securitySchemes",
                        Map.of("token", Map.of("type", "http", "scheme", "bearer"))));
        return whole;
    }

    private static Map<String, Object> post(String method, Map<String, String> rights) {
        @Nullable String right = rights.get(method);
        Map<String, Object> post = new LinkedHashMap<>();
        post.put("operationId", method);
        post.put("summary", right == null ? "see docs/protocol.md" : "needs the right " + right);
        post.put("requestBody", Map.of("content", content("application/json", reference(method + ".request"))));
        post.put("responses", responses(content("application/json", reference(method + ".answer"))));
        return post;
    }

    private static Map<String, Object> events() {
        Map<String, Object> events =
                get("hints that what a browse with this filter shows has changed", "text/event-stream");
        events.put(
                "parameters",
                List.of(
                        Map.of(
                                "name", "filter",
                                "in", "query",
                                "content", content("application/json", reference("browse.request"))),
                        Map.of("name", "Last-Event-ID", "in", "header", "schema", Map.of("type", "string"))));
        return events;
    }

    private static Map<String, Object> open(String summary, String media) {
        Map<String, Object> open = get(summary, media);
        open.put("security", List.of());
        return open;
    }

    private static Map<String, Object> get(String summary, String media) {
        return new LinkedHashMap<>(Map.of("summary", summary, "responses", responses(content(media, Map.of()))));
    }

    private static Map<String, Object> responses(Map<String, Object> content) {
        Map<String, Object> responses = new LinkedHashMap<>();
        responses.put("200", Map.of("description", "the answer", "content", content));
        responses.put(
                "default",
                Map.of(
                        "description",
                        "there is no answer",
                        "content",
                        content("application/problem+json", reference(PROBLEM))));
        return responses;
    }

    private static Map<String, Object> content(String media, Map<String, Object> schema) {
        return Map.of(media, Map.of("schema", schema));
    }
}
