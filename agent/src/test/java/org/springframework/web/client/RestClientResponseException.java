package org.springframework.web.client;

import java.util.List;
import java.util.Map;

/** Stands in for Spring's class of this name, with the accessors that are read. */
public class RestClientResponseException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final transient Map<String, List<String>> headers;

    public RestClientResponseException(int status, Map<String, List<String>> headers) {
        super("status " + status);
        this.status = status;
        this.headers = headers;
    }

    public HttpStatusCode getStatusCode() {
        return new Unnamed(status);
    }

    public Map<String, List<String>> getResponseHeaders() {
        return headers;
    }

    /** Stands in for Spring's status, which is an object, and of a hidden class where the number has no name. */
    public interface HttpStatusCode {
        int value();
    }

    private record Unnamed(int value) implements HttpStatusCode {}
}
