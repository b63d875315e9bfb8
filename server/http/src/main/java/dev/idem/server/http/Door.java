package dev.idem.server.http;

import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a browser sends for a page of somebody else. Such a page can have the browser resolve its own name to this server's address, so a name in
 * the Host header must be one of this server's own; an address can't be faked that way. And a request that the browser says
 * comes from another site, which any other port of this host is, is refused.
 */
final class Door extends Handler.Wrapper {
    /** Paths that tell nothing about anybody. Load balancers ask them by any name. */
    static final Set<String> OPEN = Set.of("/healthz", "/readyz", "/openapi.json");

    /** The page itself. Links of other sites may lead to it: it shows nothing before it has asked by itself. */
    private static final Set<String> PAGES = Set.of("/", "/index.html");

    private static final int FOUND = 302;

    private static final int FORBIDDEN = 403;
    private static final String FORBIDDEN_WORD = "forbidden";
    private static final String ADDRESS = "[0-9.]+|\\[[0-9a-fA-F:.]+]";

    private final Set<String> names;
    private final String context;

    /**
     * A door for these names.
     *
     * @param url where clients reach the server, if that is not where it listens
     */
    Door(Handler handler, String listening, @Nullable URI url) {
        super(handler);
        this.names = new HashSet<>(Set.of("localhost"));
        names.add(lower(listening));
        if (url != null) {
            names.add(lower(url.getHost()));
        }
        this.context = url == null ? "" : url.getPath().replaceAll("/+$", "");
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CACHE_CONTROL, "no-store");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        if (!context.isEmpty() && context.equals(request.getHttpURI().getPath())) {
            // The links of the page start where it is.
            headers.put(HttpHeader.LOCATION, context + "/");
            new Reply(FOUND, Reply.TEXT, "").send(request, response, callback);
            return true;
        }
        Request inside = inside(request);
        String path = Request.getPathInContext(inside);
        String why = OPEN.contains(path) ? null : refusal(request, PAGES.contains(path));
        if (why != null) {
            Reply.problem(FORBIDDEN, FORBIDDEN_WORD, why + ". Nothing was done").send(request, response, callback);
            return true;
        }
        return super.handle(inside, response, callback);
    }

    /** The request without the path under which a proxy shows this server. */
    private Request inside(Request request) {
        String path = request.getHttpURI().getPath();
        return !context.isEmpty() && path != null && path.startsWith(context + "/")
                ? Request.serveAs(request, HttpURI.build(request.getHttpURI()).path(path.substring(context.length())))
                : request;
    }

    private @Nullable String refusal(Request request, boolean isPage) {
        HttpField host = request.getHeaders().getField(HttpHeader.HOST);
        String name = host == null ? "" : new HostPort(host.getValue()).getHost();
        if (!names.contains(lower(name)) && !name.matches(ADDRESS)) {
            return "this server is not called '" + name
                    + "'; idem serve --public-url tells it the name that clients use";
        }
        String site = request.getHeaders().get("Sec-Fetch-Site");
        boolean own = site == null
                || site.equals("same-origin")
                // Typed into the address bar.
                || (site.equals("none") && request.getMethod().equals("GET"))
                || (isPage && isVisit(request));
        return own ? null : "the request comes from a page of another site";
    }

    /** Whether a browser goes to the page, in place of what it shows. */
    private static boolean isVisit(Request request) {
        return request.getMethod().equals("GET")
                && "navigate".equals(request.getHeaders().get("Sec-Fetch-Mode"))
                && "document".equals(request.getHeaders().get("Sec-Fetch-Dest"));
    }
}
