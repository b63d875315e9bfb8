package dev.idem.http;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** A request that a client is about to send, as an operation: its names, and what makes it the same request. */
public final class OutgoingRequest {
    private final URI target;
    private final ReceivedRequest request;

    /**
     * A request.
     *
     * @param body its bytes, which are not copied
     */
    public OutgoingRequest(String method, URI target, Map<String, ? extends List<String>> headers, byte[] body) {
        this.target = target;
        ReceivedRequest received = ReceivedRequest.of(method, target, headers, body);
        this.request = received.route(host() + received.rawPath());
    }

    /** The usual scope: {@code http-client:} and the host. */
    public String scope() {
        return AddressNames.clientScope(host());
    }

    /** The usual name of the operation, without the query: {@code POST api.example.com/charges}. */
    public String operation() {
        return AddressNames.operation(request);
    }

    /**
     * The identity of the operation: host, method, path, query, media type and body.
     *
     * @throws BodyTooLargeException when the body is longer than {@link HttpRules#largestBody()}
     */
    public Map<String, Object> identity(HttpRules rules) throws IOException {
        Map<String, Object> identity = new TreeMap<>(RequestFingerprint.of(request, rules));
        identity.put("host", host());
        // As it is sent: only the remote knows which spellings are one path.
        identity.put("path", request.rawPath());
        return identity;
    }

    /** The lines of a header, in order; the name in any case. Empty where the header is absent. */
    public List<String> headers(String name) {
        return request.headers(name);
    }

    /** Whether a text stands in the body. */
    public boolean bodyHolds(String ascii) throws IOException {
        return new String(request.open().readAllBytes(), StandardCharsets.ISO_8859_1).contains(ascii);
    }

    /** Host and port, without the user information that may stand before them. */
    private String host() {
        String authority = Objects.requireNonNullElse(target.getRawAuthority(), "");
        return authority.substring(authority.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
    }

    /** Shows no query, headers and body, which may hold secrets. */
    @Override
    public String toString() {
        return operation();
    }
}
