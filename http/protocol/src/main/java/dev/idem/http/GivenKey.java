package dev.idem.http;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.internal.json.JsonPointer;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for the key of a request: in its header, and in the other places that the rules name. All of them have to agree. */
final class GivenKey {
    private final Request request;
    private final HttpRules rules;
    private final RequestContent content;
    private boolean parsed;
    private @Nullable Object json;

    private GivenKey(Request request, HttpRules rules) {
        this.request = request;
        this.rules = rules;
        this.content = new RequestContent(request, rules);
    }

    /**
     * The key; null where there is none.
     *
     * @throws IllegalArgumentException when a key is malformed, or when two places hold different keys; the message says
     *     why, and does not repeat the text
     * @throws BodyTooLargeException when the key may be in a body that is too long to be parsed
     */
    static @Nullable IdempotencyKey of(Request request, HttpRules rules) throws IOException {
        List<String> lines = request.headers(rules.keyHeader());
        IdempotencyKey key = lines.isEmpty() ? null : IdempotencyKey.parse(lines);
        GivenKey given = new GivenKey(request, rules);
        for (String place : rules.keyPlaces()) {
            for (String text : place.startsWith("/") ? given.inJson(place) : given.inParameters(place)) {
                IdempotencyKey other = IdempotencyKey.of(text);
                if (key != null && !key.value().equals(other.value())) {
                    throw new IllegalArgumentException("the request has two different keys, one of them in " + place);
                }
                key = key == null ? other : key;
            }
        }
        return key;
    }

    private List<String> inJson(String pointer) throws IOException {
        if (!content.isJson()) {
            return List.of();
        }
        if (!parsed) {
            json = parse(body());
            parsed = true;
        }
        Object value = JsonPointer.find(json, pointer);
        if (value == null) {
            return List.of();
        } else if (value instanceof String || value instanceof Long || value instanceof BigInteger) {
            return List.of(value.toString());
        }
        throw new IllegalArgumentException(pointer + " of the body is neither a text nor an integer");
    }

    /** Parses strictly: a body that only a lenient parser can read may hold a key, and is refused. */
    private static @Nullable Object parse(byte[] body) {
        try {
            return body.length == 0 ? null : Json.parse(body);
        } catch (JsonException e) {
            throw new IllegalArgumentException("the body, which may hold it, is no strict JSON", e);
        }
    }

    private List<String> inParameters(String name) throws IOException {
        List<String> all = new ArrayList<>(fields(request.query().getBytes(StandardCharsets.ISO_8859_1), name));
        if (content.isForm()) {
            all.addAll(fields(body(), name));
        }
        return all;
    }

    private static List<String> fields(byte[] form, String name) {
        try {
            return RequestContent.fields(form).getOrDefault(name, List.of());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the parameters, which may hold it, can't be decoded", e);
        }
    }

    private byte[] body() throws IOException {
        byte[] body = content.inMemory();
        if (body == null) {
            throw new BodyTooLargeException(rules.largestInMemory());
        }
        return body;
    }
}
