package dev.idem.http.servlet.broken;

import dev.idem.NotExecutedException;
import dev.idem.http.HttpRules;
import dev.idem.http.IdempotencyKey;
import dev.idem.http.Problem;
import dev.idem.http.Response;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A filter that keeps the rules in the simplest way, in the memory of one process. It is healthy: each broken filter
 * changes one of its steps.
 */
public class PlainFilter implements Filter {
    private static final Set<Integer> NOT_FINAL = Set.of(408, 421, 423, 425, 429);

    private static final Pattern ID = Pattern.compile("request_id(?:\"\\s*:\\s*\"?|=)([^\"&}]+)");

    protected final HttpRules rules;
    protected final ConcurrentMap<List<String>, Entry> entries = new ConcurrentHashMap<>();

    /** The states of an entry. */
    protected enum State {
        RUNNING,
        COMPLETE,
        /** Done, but its response can't be sent again. */
        NOT_KEPT,
        IN_DOUBT
    }

    /** The entry of one key. */
    protected record Entry(State state, String fingerprint, Response response, Instant expires) {
        Entry with(State next) {
            return new Entry(next, fingerprint, response, expires);
        }
    }

    public PlainFilter(HttpRules rules) {
        this.rules = rules;
    }

    // The steps that broken filters change.

    /** The scope of a key. */
    protected List<String> address(HttpServletRequest request, String caller, String key) {
        return List.of(caller, request.getMethod(), path(request).replaceAll("/\\d+(?=/|$)", "/{id}"), key);
    }

    /** The path, as the container spells it. */
    protected String path(HttpServletRequest request) {
        return request.getServletPath() + request.getPathInfo();
    }

    /** The part of the caller beside its name, if the application has one. */
    protected String tenant(HttpServletRequest request) {
        return Objects.requireNonNullElse(request.getHeader("X-Tenant"), "");
    }

    /** Whether keys in two places of a request are one key. */
    protected boolean agree(String inHeader, String inBody) {
        return inHeader.equals(inBody);
    }

    /** Whether a guarded request needs an authenticated caller. */
    protected boolean needsCaller() {
        return rules.principalRequired();
    }

    /** The fingerprint of a request. */
    protected String fingerprint(HttpServletRequest request, byte[] body) {
        return path(request) + "?" + request.getQueryString() + " " + content(request.getContentType(), body);
    }

    /** The content of a request without the boundary, which a client chooses anew for each retry. */
    protected String content(String type, byte[] body) {
        String text = new String(body, StandardCharsets.ISO_8859_1);
        int boundary = type == null ? -1 : type.indexOf("boundary=");
        return boundary < 0 ? type + " " + text : text.replace(type.substring(boundary + "boundary=".length()), "");
    }

    /** The end of an entry that is claimed now; a claim has none. */
    protected Instant claimedUntil() {
        return Instant.MAX;
    }

    protected boolean isFinal(int status) {
        return status < 500 && !NOT_FINAL.contains(status);
    }

    /** Whether a conflict says that another try may have another answer. */
    protected boolean mayPass(Response conflict) {
        return conflict.headers().containsKey("Retry-After")
                || Problem.of(conflict).isPresent();
    }

    /** Ends a request whose outcome is not known. */
    protected void doubt(List<String> address, Entry claimed) {
        entries.put(address, claimed.with(State.IN_DOUBT));
    }

    /** Ends a request whose handler has thrown. */
    protected void thrown(List<String> address, Entry claimed) {
        doubt(address, claimed);
    }

    /** The entry of a request whose response was sent while the handler ran. */
    protected Entry streamed(Entry claimed, Response captured) {
        return claimed.with(State.NOT_KEPT);
    }

    protected CapturedResponse capture(HttpServletResponse response) {
        return new CapturedResponse(response);
    }

    /** Takes back the headers of a handler that has thrown. */
    protected void forget(HttpServletResponse raw) {
        String key = raw.getHeader(rules.keyHeader());
        raw.reset();
        raw.setHeader(rules.keyHeader(), key);
    }

    // The steps that are right in all of them.

    @Override
    public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        HttpServletResponse raw = (HttpServletResponse) response;
        byte[] body = rules.methods().contains(http.getMethod())
                ? request.getInputStream().readAllBytes()
                : new byte[0];
        List<String> lines = Collections.list(http.getHeaders(rules.keyHeader()));
        String inBody = inBody(http.getQueryString() + "&" + new String(body, StandardCharsets.ISO_8859_1));
        if (inBody != null && lines.isEmpty()) {
            lines.add('"' + inBody + '"');
        }
        if (!rules.methods().contains(http.getMethod()) || (lines.isEmpty() && !rules.keyRequired())) {
            chain.doFilter(request, response);
            return;
        }
        Principal caller = http.getUserPrincipal();
        if (caller == null && needsCaller()) {
            send(rules.problem(Problem.PRINCIPAL_MISSING), raw);
        } else if (lines.isEmpty()) {
            send(rules.problem(Problem.KEY_MISSING), raw);
        } else {
            IdempotencyKey key;
            try {
                key = IdempotencyKey.parse(lines);
            } catch (IllegalArgumentException e) {
                send(rules.problem(Problem.KEY_MALFORMED), raw);
                return;
            }
            if (inBody != null && !agree(key.value(), inBody)) {
                send(rules.problem(Problem.KEY_MALFORMED), raw);
                return;
            }
            raw.setHeader(rules.keyHeader(), key.echo());
            guarded(
                    http,
                    raw,
                    chain,
                    body,
                    address(http, (caller == null ? "" : caller.getName()) + "/" + tenant(http), key.value()));
        }
    }

    /** The id in a body or a query, where the rules have such a place. */
    private String inBody(String text) {
        Matcher id = ID.matcher(text);
        return !rules.keyPlaces().isEmpty() && id.find() ? id.group(1).replace("%20", " ") : null;
    }

    private void guarded(
            HttpServletRequest request, HttpServletResponse raw, FilterChain chain, byte[] body, List<String> address)
            throws IOException, ServletException {
        if (body.length > rules.largestBody()) {
            send(rules.problem(Problem.BODY_TOO_LARGE), raw);
            return;
        }
        Entry mine = new Entry(State.RUNNING, fingerprint(request, body), Response.of(500), claimedUntil());
        Entry found = entries.compute(
                address, (same, old) -> old == null || old.expires().isBefore(Instant.now()) ? mine : old);
        if (found == mine) {
            run(request, raw, chain, address, mine);
        } else if (!found.fingerprint().equals(mine.fingerprint())) {
            send(rules.problem(Problem.KEY_REUSED), raw);
        } else {
            switch (found.state()) {
                case RUNNING -> send(rules.problem(Problem.IN_FLIGHT), raw);
                case NOT_KEPT -> send(rules.problem(Problem.RESULT_NOT_KEPT), raw);
                case IN_DOUBT -> send(rules.problem(Problem.IN_DOUBT), raw);
                case COMPLETE -> {
                    raw.setHeader(rules.replayedHeader(), "true");
                    raw.setHeader(rules.expiresHeader(), date(found.expires()));
                    raw.setHeader("Age", "0");
                    raw.setHeader("Cache-Control", "no-store");
                    send(found.response(), raw);
                }
            }
        }
    }

    private void run(
            HttpServletRequest request, HttpServletResponse raw, FilterChain chain, List<String> address, Entry mine)
            throws IOException, ServletException {
        CapturedResponse captured = capture(raw);
        try {
            chain.doFilter(request, captured);
        } catch (IOException | ServletException | RuntimeException e) {
            if (e.getCause() instanceof NotExecutedException) {
                entries.remove(address);
                forget(raw);
                send(rules.problem(Problem.NOT_EXECUTED), raw);
                return;
            }
            thrown(address, mine);
            throw e;
        }
        Response response = captured.response();
        if (captured.isLive()) {
            entries.put(address, streamed(mine, response));
        } else if (!isFinal(response.status()) || (response.status() == 409 && mayPass(response))) {
            doubt(address, mine);
        } else if (response.body().length > rules.largestStoredBody()) {
            entries.put(address, mine.with(State.NOT_KEPT));
        } else {
            Instant expires = Instant.now().plus(rules.policy().retention().keep());
            entries.put(address, new Entry(State.COMPLETE, mine.fingerprint(), stored(response), expires));
            raw.setHeader(rules.expiresHeader(), date(expires));
        }
        captured.send();
    }

    /** The headers that the suite expects in a replay. */
    private static Response stored(Response response) {
        Map<String, List<String>> kept = new TreeMap<>(response.headers());
        kept.keySet().removeIf(name -> !name.matches("(?i)content-type|link|location|etag|vary|x-order-.*"));
        Response stored = Response.of(response.status()).body(response.body());
        for (Map.Entry<String, List<String>> header : kept.entrySet()) {
            for (String line : header.getValue()) {
                stored = stored.header(header.getKey(), line);
            }
        }
        return stored;
    }

    private static String date(Instant time) {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(time.atOffset(ZoneOffset.UTC));
    }

    private static void send(Response response, HttpServletResponse raw) throws IOException {
        raw.setStatus(response.status());
        response.headers().forEach((name, lines) -> {
            raw.setHeader(name, lines.get(0));
            lines.stream().skip(1).forEach(more -> raw.addHeader(name, more));
        });
        raw.getOutputStream().write(response.body());
    }
}
