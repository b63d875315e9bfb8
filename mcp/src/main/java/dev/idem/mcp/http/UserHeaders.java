package dev.idem.mcp.http;

import dev.idem.mcp.guard.CallKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The headers by which the users of a server over HTTP are told apart. Immutable. */
public final class UserHeaders {
    /** Parts of the names of headers that name a user, or hold a credential. Login proxies set many of these. */
    private static final List<String> PARTS = List.of(
            "account",
            "assertion",
            "auth",
            "cert",
            "claim",
            "consumer",
            "credential",
            "email",
            "identity",
            "jwt",
            "key",
            "login",
            "oidc",
            "org",
            "principal",
            "secret",
            "subject",
            "tenant",
            "token",
            "user",
            "workspace");

    private static final Set<String> NO_CREDENTIALS =
            Set.of("idempotency-key", "user-agent", "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name");
    private static final String PARAMETERS = "mcp-param-";

    private static final UserHeaders GUESSED = new UserHeaders(null);
    private static final UserHeaders ONE = new UserHeaders(Set.of());

    /** The headers that name a user; empty where there is one user, null where they are guessed. */
    private final @Nullable Set<String> headers;

    private UserHeaders(@Nullable Set<String> headers) {
        this.headers = headers;
    }

    /** Every header whose name sounds like a user or a credential, and the query; else the cookies. */
    public static UserHeaders guessed() {
        return GUESSED;
    }

    /** No header: requests are not told apart. */
    public static UserHeaders one() {
        return ONE;
    }

    /**
     * Exactly these headers.
     *
     * @throws IllegalArgumentException if a name is no name of a header, or is one that does not reach the server
     */
    public static UserHeaders named(List<String> headers) {
        Set<String> names = new TreeSet<>();
        for (String header : headers) {
            String name = header.toLowerCase(Locale.ROOT);
            if (!name.matches("[a-z0-9!#$%&'*+.^_`|~-]+") || !HttpHeaders.isPassed(name)) {
                throw new IllegalArgumentException("'" + header + "' is no header that can name a user");
            }
            names.add(name);
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("name at least one header");
        }
        return new UserHeaders(names);
    }

    /** Whether the operator has not declared how users are told apart. */
    boolean areGuessed() {
        return headers == null;
    }

    /** A header that names the user and that this request does not have; null where it has all of them. */
    @Nullable
    String missingIn(HttpHeaders request) {
        return headers == null
                ? null
                : headers.stream()
                        .filter(name -> request.lines().getOrDefault(name, List.of()).stream()
                                .allMatch(String::isBlank))
                        .findFirst()
                        .orElse(null);
    }

    /**
     * A digest of what the user is known by; empty where nothing tells users apart.
     *
     * @param query of the URL, which may hold a credential
     */
    Optional<String> of(HttpHeaders request, @Nullable String query) {
        List<String> known = headers == null ? guessed(request, query) : lines(request, headers);
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(CallKey.digest(String.join("\n", known)).substring(0, 16));
    }

    /** Cookies count only where nothing else does, because some change with every response. */
    private static List<String> guessed(HttpHeaders request, @Nullable String query) {
        Set<String> names = new TreeSet<>();
        request.lines().keySet().forEach(name -> names.add(name.toLowerCase(Locale.ROOT)));
        names.removeIf(name -> NO_CREDENTIALS.contains(name)
                || name.startsWith(PARAMETERS)
                || PARTS.stream().noneMatch(name::contains));
        List<String> known = new ArrayList<>(lines(request, names));
        if (query != null) {
            known.add("?" + query);
        }
        return known.isEmpty() ? request.lines().getOrDefault("cookie", List.of()) : known;
    }

    private static List<String> lines(HttpHeaders request, Set<String> names) {
        return names.stream()
                .flatMap(name ->
                        request.lines().getOrDefault(name, List.of()).stream().map(value -> name + ": " + value))
                .toList();
    }
}
