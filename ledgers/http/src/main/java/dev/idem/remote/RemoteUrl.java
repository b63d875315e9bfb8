package dev.idem.remote;

import dev.idem.internal.ledger.UrlOption;
import dev.idem.spi.LedgerUrl;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A server and how to reach it, as its URL says.
 *
 * @param shown the URL without options
 * @param base the server's address over TCP; null at a socket
 * @param socket the file of a unix socket; null over TCP
 * @param token the secret that opens the server; null at a socket
 * @param timeout how long to wait for a connection and for an answer
 * @param authority a file with the certificates to trust; null for those of the Java runtime
 */
record RemoteUrl(
        String shown,
        @Nullable URI base,
        @Nullable Path socket,
        @Nullable String token,
        Duration timeout,
        @Nullable Path authority) {
    static final String HTTP = "http";
    static final String HTTPS = "https";
    static final String SOCKET = "http+unix";

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Set<String> OF_TCP = Set.of("token", "plain-http", "ca");
    private static final String TOKEN_PLACES = "token=env:NAME for an environment variable or token=file:PATH";

    /**
     * Reads a URL.
     *
     * @param env gives the value of an environment variable, or null
     * @throws IllegalArgumentException if it is malformed; the message shows no secret
     */
    static RemoteUrl parse(LedgerUrl url, UnaryOperator<@Nullable String> env) {
        boolean tcp = !url.scheme().equals(SOCKET);
        for (String name : url.options().keySet()) {
            if (!name.equals("timeout") && !(tcp && OF_TCP.contains(name))) {
                throw new IllegalArgumentException(url.scheme() + ": has no option '" + name + "'; it has timeout=5s"
                        + (tcp ? ", token=env:NAME, plain-http=on and ca=file.pem" : ""));
            }
        }
        Map<String, String> options = url.options();
        String given = options.get("timeout");
        Duration timeout = given == null
                ? TIMEOUT
                : new UrlOption("timeout", given).duration(Duration.ofMillis(1), Duration.ofMinutes(10));
        if (!tcp) {
            return new RemoteUrl(url.toString(), null, socket(url), null, timeout, null);
        }
        URI base = base(url);
        String plain = options.get("plain-http");
        if (url.scheme().equals(HTTP)
                && !isLoopback(base.getHost())
                && !(plain != null && new UrlOption("plain-http", plain).onOrOff())) {
            throw new IllegalArgumentException("'" + url + "' would send the token and all results unencrypted. Write "
                    + "https://, or add plain-http=on if the network between is trusted");
        }
        String authority = options.get("ca");
        return new RemoteUrl(
                url.toString(),
                base,
                null,
                token(url, options.get("token"), env),
                timeout,
                authority == null ? null : Path.of(authority));
    }

    private static Path socket(LedgerUrl url) {
        if (url.rest().isEmpty()) {
            throw new IllegalArgumentException(SOCKET + ": needs the path of a socket, for instance " + SOCKET
                    + ":/run/user/1000/idem/serve.sock");
        }
        try {
            return Path.of(url.rest());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("'" + url + "' names no path", e);
        }
    }

    private static URI base(LedgerUrl url) {
        URI base;
        try {
            base = URI.create(url.scheme() + ":" + url.rest().replaceAll("/+$", ""));
        } catch (IllegalArgumentException e) {
            base = null;
        }
        // Not shown as a cause, for it holds the URL with what may be a password.
        if (base == null || base.getHost() == null || base.getRawFragment() != null) {
            throw new IllegalArgumentException("'" + url + "' names no server; write for instance " + url.scheme()
                    + "://idem.internal:8443?token=env:IDEM_TOKEN");
        } else if (base.getRawUserInfo() != null) {
            throw new IllegalArgumentException(
                    "'" + url + "' has a user or a password, which the server does not know; give it " + TOKEN_PLACES);
        }
        return base;
    }

    /** Names are not resolved: another answer could come for the request itself. */
    private static boolean isLoopback(String host) {
        return host.equalsIgnoreCase("localhost") || host.matches("127(\\.[0-9]{1,3}){3}") || host.equals("[::1]");
    }

    private static String token(LedgerUrl url, @Nullable String place, UnaryOperator<@Nullable String> env) {
        if (place == null) {
            throw new IllegalArgumentException(
                    "'" + url + "' needs a token, which idem token add makes on the server: add " + TOKEN_PLACES);
        }
        String token;
        if (place.startsWith("env:")) {
            token = env.apply(place.substring("env:".length()));
            if (token == null) {
                throw new IllegalArgumentException("the environment variable of '" + place + "' is not set");
            }
        } else if (place.startsWith("file:")) {
            token = read(place);
        } else {
            throw new IllegalArgumentException("the token of '" + url + "' does not belong into the URL, which appears "
                    + "in logs and lists of processes; write " + TOKEN_PLACES);
        }
        token = token.strip();
        if (token.isEmpty() || !token.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new IllegalArgumentException("'" + place + "' holds no token: it is empty, or has blanks inside");
        }
        return token;
    }

    private static String read(String place) {
        try {
            return Files.readString(Path.of(place.substring("file:".length())));
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException("'" + place + "' can't be read: " + e, e);
        }
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return shown;
    }
}
