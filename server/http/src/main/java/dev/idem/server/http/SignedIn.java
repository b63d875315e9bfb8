package dev.idem.server.http;

import dev.idem.server.Caller;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Tells callers by the token that they bear, or by the session that a person has signed in to.
 *
 * @param cookie the name of the session's cookie
 * @param connections are theirs from then on
 */
record SignedIn(TokenCallers bearers, Sessions sessions, String cookie, PatientConnections connections)
        implements Callers {
    private static final String SECOND = "X-Idem-Console";

    /** The name of the cookie of a server. Cookies ignore ports, so each server of a host has another one. */
    static String cookie(@Nullable URI publicUrl, int port) {
        return "idem_"
                + (publicUrl == null
                        ? port
                        : Secrets.digest(publicUrl.toString()).substring(0, 12));
    }

    @Override
    public Caller of(Request request) {
        Caller caller = request.getHeaders().contains(HttpHeader.AUTHORIZATION)
                        || cookies(request).isEmpty()
                ? bearers.of(request)
                : sessions.caller(cookies(request), second(request));
        connections.belongsTo(request, caller.client());
        return caller;
    }

    /** Ends the session of a request, if it has one. */
    void end(Request request) {
        sessions.end(cookies(request), second(request));
    }

    private List<String> cookies(Request request) {
        return Request.getCookies(request).stream()
                .filter(each -> each.getName().equals(cookie))
                .map(HttpCookie::getValue)
                .toList();
    }

    private static String second(Request request) {
        return Objects.requireNonNullElse(request.getHeaders().get(SECOND), "");
    }
}
