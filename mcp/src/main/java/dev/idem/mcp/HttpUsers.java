package dev.idem.mcp;

import dev.idem.mcp.http.UserHeaders;
import java.util.List;

/**
 * Tells the users of a server over HTTP apart, so that none of them gets the result of another:
 *
 * <pre>{@code
 * new HttpProxy(idem, options, server, HttpUsers.named(List.of("X-Forwarded-Email")));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class HttpUsers {
    private static final HttpUsers GUESSED = new HttpUsers(UserHeaders.guessed());
    private static final HttpUsers ONE = new HttpUsers(UserHeaders.one());

    private final UserHeaders headers;

    private HttpUsers(UserHeaders headers) {
        this.headers = headers;
    }

    /**
     * Users that are told apart by every header whose name sounds like a user or a credential, and by the query. Where a
     * request has none of these, by its cookies. Only for a guard that serves its own machine.
     */
    public static HttpUsers guessed() {
        return GUESSED;
    }

    /** One user: requests are not told apart. */
    public static HttpUsers one() {
        return ONE;
    }

    /**
     * Users that are told apart by exactly these headers. A request without one of them is refused. Whatever sets them must
     * remove those that a client sends.
     *
     * @throws IllegalArgumentException if a name is no name of a header, or is one that does not reach the server
     */
    public static HttpUsers named(List<String> headers) {
        return new HttpUsers(UserHeaders.named(headers));
    }

    UserHeaders headers() {
        return headers;
    }
}
