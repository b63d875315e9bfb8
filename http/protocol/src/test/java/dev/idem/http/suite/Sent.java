package dev.idem.http.suite;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A request as a client sends it. The caller is {@code ann} unless told otherwise; empty means anonymous. */
public record Sent(
        String method, String path, String query, List<Map.Entry<String, String>> headers, byte[] body, String caller) {
    public static Sent of(String method, String target) {
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        return new Sent(method, path, query < 0 ? "" : target.substring(query + 1), List.of(), new byte[0], "ann");
    }

    public static Sent post(String target) {
        return of("POST", target);
    }

    public Sent header(String name, String value) {
        List<Map.Entry<String, String>> more = new ArrayList<>(headers);
        more.add(Map.entry(name, value));
        return new Sent(method, path, query, more, body, caller);
    }

    public Sent key(String value) {
        return header("Idempotency-Key", value);
    }

    public Sent body(String contentType, byte[] bytes) {
        Sent typed = header("Content-Type", contentType);
        return new Sent(method, path, query, typed.headers, bytes, caller);
    }

    public Sent body(String contentType, String text) {
        return body(contentType, text.getBytes(StandardCharsets.UTF_8));
    }

    public Sent json(String text) {
        return body("application/json", text);
    }

    public Sent by(String other) {
        return new Sent(method, path, query, headers, body, other);
    }

    /** The pattern of the route: each segment that is a number is an id. */
    public String route() {
        return path.replaceAll("/\\d+(?=/|$)", "/{id}");
    }
}
