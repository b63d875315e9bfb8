package dev.idem.http;

import dev.idem.Address;
import dev.idem.internal.json.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A response as the entry keeps it, in JSON. To resolve a request in doubt by hand, complete its entry with one:
 *
 * <pre>{@code
 * idem.resolve(entry).by("ann").asComplete(StoredResponse.text(201, "application/json", "{\"order\":7}"));
 * }</pre>
 *
 * @param version the version of this form: 1
 * @param encoding how {@code body} holds the bytes: {@code text} (UTF-8), {@code base64}, or {@code not-kept}
 */
public record StoredResponse(int version, int status, Map<String, List<String>> headers, String encoding, String body) {
    private static final int VERSION = 1;
    private static final int LOWEST = 100;
    private static final int HIGHEST = 999;
    private static final String TEXT = "text";
    private static final String BASE64 = "base64";
    private static final String NOT_KEPT = "not-kept";

    /** Throws {@link IllegalArgumentException} for a form that this version can't read. */
    public StoredResponse {
        // A person may have left them out.
        headers = Objects.requireNonNullElse(headers, Map.of());
        body = Objects.requireNonNullElse(body, "");
        if (version != VERSION || !List.of(TEXT, BASE64, NOT_KEPT).contains(encoding)) {
            throw new IllegalArgumentException("the stored response has version " + version + " and encoding '"
                    + encoding + "'; this release reads version " + VERSION + " with text, base64 or not-kept");
        }
        if (status < LOWEST || status > HIGHEST) {
            throw new IllegalArgumentException("the stored response has the status " + status);
        }
        if (encoding.equals(BASE64)) {
            // Now, so that a damaged body is found where the result is read.
            Base64.getDecoder().decode(body);
        }
    }

    /** A response with a text in UTF-8. */
    public static StoredResponse text(int status, String contentType, String text) {
        return new StoredResponse(VERSION, status, Map.of("Content-Type", List.of(contentType)), TEXT, text);
    }

    /** Whether the entry at this address is of a request, so that its result has to be a stored response. */
    public static boolean answers(Address address) {
        return AddressNames.isRequest(address);
    }

    /** A response as the rules let it be kept: without secrets, and without a body that is too long. */
    public static StoredResponse of(Response response, HttpRules rules) {
        Map<String, List<String>> headers = new TreeMap<>();
        response.headers().forEach((name, lines) -> {
            if (rules.stores(name)) {
                headers.put(name, lines);
            }
        });
        byte[] bytes = response.body();
        if (response.isStreamed() || bytes.length > rules.largestStoredBody()) {
            return new StoredResponse(VERSION, response.status(), headers, NOT_KEPT, "");
        }
        String text = Utf8.textOrNull(bytes);
        return text == null
                ? new StoredResponse(
                        VERSION,
                        response.status(),
                        headers,
                        BASE64,
                        Base64.getEncoder().encodeToString(bytes))
                : new StoredResponse(VERSION, response.status(), headers, TEXT, text);
    }

    /** Whether the body can be sent again. */
    public boolean isKept() {
        return !encoding.equals(NOT_KEPT);
    }

    /** The response to send again. */
    public Response response() {
        Response response = Response.of(status)
                .body(
                        encoding.equals(TEXT)
                                ? body.getBytes(StandardCharsets.UTF_8)
                                : Base64.getDecoder().decode(body));
        for (Map.Entry<String, List<String>> header : headers.entrySet()) {
            for (String line : header.getValue()) {
                response = response.header(header.getKey(), line);
            }
        }
        return response;
    }

    /** Shows no headers and no body, which may hold secrets. */
    @Override
    public String toString() {
        return "StoredResponse[" + status + ", " + encoding + "]";
    }
}
