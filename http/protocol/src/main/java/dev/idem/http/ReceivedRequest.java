package dev.idem.http;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is in memory, for servers without an adapter of their own.
 *
 * <pre>{@code
 * Request request = ReceivedRequest.of("POST", uri, headers, body).principal("ann").route("/orders/{id}");
 * }</pre>
 *
 * <p>Immutable; the bytes of the body are not copied, so do not change them.
 */
public final class ReceivedRequest implements Request {
    private static final Pattern ENCODED = Pattern.compile("%[0-9A-Fa-f]{2}");

    private final String method;
    private final URI target;
    private final Map<String, List<String>> headers;
    private final byte[] body;
    private final @Nullable String route;
    private final @Nullable String principal;

    private ReceivedRequest(
            String method,
            URI target,
            Map<String, List<String>> headers,
            byte[] body,
            @Nullable String route,
            @Nullable String principal) {
        this.method = method;
        this.target = target;
        this.headers = headers;
        this.body = body;
        this.route = route;
        this.principal = principal;
    }

    /**
     * A request of no known caller, whose route is its path.
     *
     * @param headers the lines of each header; names in any case
     */
    public static ReceivedRequest of(
            String method, URI target, Map<String, ? extends List<String>> headers, byte[] body) {
        Map<String, List<String>> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, lines) -> copy.merge(
                name,
                lines,
                (some, more) -> Stream.concat(some.stream(), more.stream()).toList()));
        return new ReceivedRequest(method, target, copy, body, null, null);
    }

    /** Sets the authenticated caller; null where there is none. */
    public ReceivedRequest principal(@Nullable String name) {
        return new ReceivedRequest(method, target, headers, body, route, name);
    }

    /** Sets the pattern of the route. */
    public ReceivedRequest route(String pattern) {
        return new ReceivedRequest(method, target, headers, body, pattern, principal);
    }

    @Override
    public String method() {
        return method;
    }

    /** The path as it was sent. */
    String rawPath() {
        return Objects.requireNonNullElse(target.getRawPath(), "");
    }

    /** The path in one spelling: {@code /%72esources} is {@code /resources}. */
    @Override
    public String path() {
        return decoded(rawPath());
    }

    @Override
    public String query() {
        return Objects.requireNonNullElse(target.getRawQuery(), "");
    }

    @Override
    public String route() {
        if (route != null) {
            return route;
        }
        AmbiguousPathException.check(rawPath());
        return path();
    }

    @Override
    public @Nullable String principal() {
        return principal;
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public InputStream open() {
        return new ByteArrayInputStream(body);
    }

    /**
     * A path in one spelling: printable characters of ASCII are decoded. What would change the path by that stays encoded:
     * slash, backslash and percent.
     */
    static String decoded(String path) {
        return ENCODED.matcher(path).replaceAll(found -> Matcher.quoteReplacement(decodedByte(found.group())));
    }

    private static String decodedByte(String encoded) {
        int value = Integer.parseInt(encoded.substring(1), 16);
        boolean decodes = value > ' ' && value <= '~' && value != '/' && value != '\\' && value != '%';
        return decodes ? Character.toString(value) : "%" + encoded.substring(1).toUpperCase(Locale.ROOT);
    }
}
