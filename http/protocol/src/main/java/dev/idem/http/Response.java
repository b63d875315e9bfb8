package dev.idem.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A response: status, headers and body. Immutable; the bytes of the body are not copied, so do not change them.
 *
 * <pre>{@code
 * Response created = Response.of(201).header("Location", "/orders/7").body("application/json", json);
 * }</pre>
 */
public final class Response {
    private static final byte[] NOTHING = {};

    private final int status;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final boolean streamed;
    private final boolean notExecuted;
    private final @Nullable String doubt;

    private Response(
            int status,
            Map<String, List<String>> headers,
            byte[] body,
            boolean streamed,
            boolean notExecuted,
            @Nullable String doubt) {
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.streamed = streamed;
        this.notExecuted = notExecuted;
        this.doubt = doubt;
    }

    /** A response without headers and body. */
    public static Response of(int status) {
        return new Response(status, Map.of(), NOTHING, false, false, null);
    }

    /**
     * A response that the handler has sent itself: events, a web socket, a long download. It is recorded as done, and
     * a duplicate learns that the response was not kept.
     */
    public static Response streamed(int status) {
        return new Response(status, Map.of(), NOTHING, true, false, null);
    }

    /** Adds a header line. */
    public Response header(String name, String value) {
        Map<String, List<String>> copy = copyOfHeaders();
        List<String> lines = new ArrayList<>(copy.getOrDefault(name, List.of()));
        lines.add(value);
        copy.put(name, List.copyOf(lines));
        return new Response(status, Collections.unmodifiableMap(copy), body, streamed, notExecuted, doubt);
    }

    /** Sets a header to one line, whatever lines it had. */
    public Response withHeader(String name, String value) {
        Map<String, List<String>> copy = copyOfHeaders();
        copy.put(name, List.of(value));
        return new Response(status, Collections.unmodifiableMap(copy), body, streamed, notExecuted, doubt);
    }

    /** Sets the body. */
    public Response body(byte[] bytes) {
        return new Response(status, headers, bytes, streamed, notExecuted, doubt);
    }

    /** Sets the body and its {@code Content-Type}. */
    public Response body(String contentType, String text) {
        return withHeader("Content-Type", contentType).body(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Declares that the handler did nothing and will do nothing: the key may be used again, whatever the status. */
    public Response notExecuted() {
        return new Response(status, headers, body, streamed, true, null);
    }

    /**
     * Declares that the response proves nothing: its client gets it, and the request is in doubt, whatever the status.
     *
     * @param why for the log and for the entry
     */
    public Response inDoubt(String why) {
        return new Response(status, headers, body, streamed, false, why);
    }

    public int status() {
        return status;
    }

    /** The header lines by name; names are found in any case. */
    public Map<String, List<String>> headers() {
        return headers;
    }

    public byte[] body() {
        return body;
    }

    /** Whether the handler has sent it itself. */
    public boolean isStreamed() {
        return streamed;
    }

    /** Whether the handler declares that it did nothing. */
    public boolean isNotExecuted() {
        return notExecuted;
    }

    /** Why the response proves nothing; empty if its status counts. */
    public Optional<String> doubt() {
        return Optional.ofNullable(doubt);
    }

    private Map<String, List<String>> copyOfHeaders() {
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        copy.putAll(headers);
        return copy;
    }

    /** Shows no headers and no body, which may hold secrets. */
    @Override
    public String toString() {
        return "Response[" + status + ", " + (streamed ? "streamed" : body.length + " bytes") + "]";
    }
}
