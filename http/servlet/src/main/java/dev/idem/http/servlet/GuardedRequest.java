package dev.idem.http.servlet;

import dev.idem.http.BodyDamagedException;
import dev.idem.http.BodyTooLargeException;
import dev.idem.http.HttpRules;
import dev.idem.http.Request;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A request that the guard reads before the handler does. The handler sees the same body, and none of the headers that
 * would make its response good for this client alone.
 */
final class GuardedRequest extends HttpServletRequestWrapper implements Request, AutoCloseable {
    private static final Set<String> HIDDEN = Set.of("accept-encoding", "range");
    private static final String FORM = "application/x-www-form-urlencoded";

    private final HttpRules rules;
    private final Function<HttpServletRequest, String> route;
    private @Nullable SpooledBody body;
    private @Nullable Collection<Part> parts;
    private @Nullable Map<String, String[]> parameters;
    private @Nullable ServletInputStream stream;
    private @Nullable BufferedReader reader;
    private @Nullable Dispatching dispatching;

    GuardedRequest(HttpServletRequest request, HttpRules rules, Function<HttpServletRequest, String> route) {
        super(request);
        this.rules = rules;
        this.route = route;
    }

    /** Whether the given request is this one, with or without wrappers around it. */
    boolean isInside(ServletRequest given) {
        return given instanceof ServletRequestWrapper wrapper && (wrapper == this || wrapper.isWrapperFor(this));
    }

    /** Whether the guard has read the body, so that the handler has to read it through this request. */
    boolean isRead() {
        return body != null || parts != null;
    }

    /** The request of a later dispatch, with the body of this one. */
    HttpServletRequest seenThrough(HttpServletRequest dispatched) {
        return isInside(dispatched) ? dispatched : withBodyOver(dispatched);
    }

    /** The same body and rules over another request of the container. */
    private GuardedRequest withBodyOver(HttpServletRequest other) {
        GuardedRequest copy = new GuardedRequest(other, rules, route);
        copy.body = body;
        copy.parts = parts;
        copy.dispatching = dispatching;
        return copy;
    }

    /** From now on the handler runs: asynchronous ends are reported, and conditions of this client are hidden. */
    void handledBy(Dispatching exchange) {
        dispatching = exchange;
    }

    // Methods for the guard.

    @Override
    public String method() {
        return getMethod();
    }

    @Override
    public String path() {
        return PathSpelling.path(this);
    }

    @Override
    public String query() {
        return Objects.requireNonNullElse(getQueryString(), "");
    }

    /** Looked up when the body has been read: the pattern may depend on fields of a form. */
    @Override
    public String route() {
        return route.apply(this);
    }

    @Override
    public @Nullable String principal() {
        Principal caller = getUserPrincipal();
        return caller == null ? null : caller.getName();
    }

    @Override
    public List<String> headers(String name) {
        return Collections.list(super.getHeaders(name));
    }

    @Override
    public InputStream open() throws IOException {
        if (body == null && parts == null) {
            if (getContentLengthLong() > rules.largestBody()) {
                throw new BodyTooLargeException(rules.largestBody());
            }
            if (hasBody() && !isForm() && super.getInputStream().isFinished()) {
                throw readBefore();
            } else if (isMultipart()) {
                readParts();
            } else {
                readBytes();
            }
        }
        if (parts != null) {
            return PartsBody.open(parts, getContentType());
        }
        SpooledBody read = Objects.requireNonNull(body);
        return read.size() == 0 && hasBody() && isForm() ? new ByteArrayInputStream(fields()) : read.open();
    }

    /** Whether the headers tell of a body. */
    private boolean hasBody() {
        return getContentLengthLong() > 0 || super.getHeader("Transfer-Encoding") != null;
    }

    private void readBytes() throws IOException {
        SpooledBody read = SpooledBody.read(super.getInputStream(), rules);
        body = read;
        // A filter that decodes the body changes its length. The container itself refuses a body that ends too early.
        boolean lacksBytes = read.size() < getContentLengthLong() && super.getHeader("Content-Encoding") == null;
        if (lacksBytes && !(isForm() && read.size() == 0)) {
            throw readBefore();
        }
    }

    /** Without its body, this request would look like every other one. */
    private static IOException readBefore() {
        return new IOException(
                "An earlier filter has read the body of this request, so it can't be compared with other "
                        + "requests of the same key. Nothing was executed. Put the IdemFilter before the filter that reads the "
                        + "body, or let that filter pass on a request whose body can be read again.");
    }

    private boolean isForm() {
        return getContentType() != null
                && getContentType().toLowerCase(Locale.ROOT).startsWith(FORM);
    }

    /** The form again, from its parameters: an earlier filter has asked for one, so the container has read the body. */
    private byte[] fields() throws IOException {
        Map<String, String[]> known = super.getParameterMap();
        long inQuery = Stream.of(query().split("&", -1))
                .filter(field -> !field.isEmpty())
                .count();
        if (known.values().stream().mapToLong(values -> values.length).sum() <= inQuery) {
            throw readBefore();
        }
        StringJoiner all = new StringJoiner("&");
        known.forEach((name, values) -> {
            for (String value : values) {
                all.add(URLEncoder.encode(name, StandardCharsets.UTF_8) + "="
                        + URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        });
        return all.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private boolean isMultipart() {
        return getContentType() != null
                && getContentType().toLowerCase(Locale.ROOT).startsWith("multipart/form-data");
    }

    /** Reads the parts; or the bytes, where the servlet takes no parts and reads the body itself. */
    private void readParts() throws IOException {
        try {
            parts = super.getParts();
        } catch (IllegalStateException | ServletException e) {
            if (!readsWhole()) {
                // The container has read a part of the body and has given up, and so would the handler.
                throw unreadable(e);
            }
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /** The containers throw an {@link IllegalStateException}, or wrap one, where an upload is over a limit. */
    private static IOException unreadable(Exception thrown) {
        Throwable found = thrown;
        while (found.getCause() != null && !(found instanceof IllegalStateException)) {
            found = found.getCause();
        }
        if (found instanceof IllegalStateException) {
            return new BodyTooLargeException("an upload is longer than its servlet takes", thrown);
        }
        String message = "the parts of the request can't be read";
        // An error of this server, such as a full disk, has no class of its own.
        return found.getClass() == IOException.class
                ? new IOException(message, thrown)
                : new BodyDamagedException(message, thrown);
    }

    /** Reads the bytes, and tells whether the container has left all of them. */
    private boolean readsWhole() throws BodyTooLargeException {
        try {
            SpooledBody read = SpooledBody.read(super.getInputStream(), rules);
            body = read;
            if (getContentLengthLong() >= 0) {
                return read.size() == getContentLengthLong();
            }
            byte[] start = ("--" + PartsBody.boundary(getContentType())).getBytes(StandardCharsets.ISO_8859_1);
            try (InputStream in = read.open()) {
                return Arrays.equals(in.readNBytes(start.length), start);
            }
        } catch (BodyTooLargeException e) {
            throw e;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        if (body != null) {
            body.close();
        }
    }

    // Methods for the handler.

    @Override
    public ServletInputStream getInputStream() throws IOException {
        if (body == null) {
            return super.getInputStream();
        } else if (reader != null) {
            throw new IllegalStateException("getReader() was called before");
        } else if (stream == null) {
            stream = new BodyStream(body.open());
        }
        return stream;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (body == null) {
            return super.getReader();
        } else if (stream != null) {
            throw new IllegalStateException("getInputStream() was called before");
        } else if (reader == null) {
            String encoding = getCharacterEncoding();
            reader = new BufferedReader(new InputStreamReader(body.open(), encoding == null ? "ISO-8859-1" : encoding));
        }
        return reader;
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterMap().get(name);
        return values == null ? null : values[0];
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        return getParameterMap().get(name);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /** The container has found the body read, so it knows the parameters of the query alone. */
    @Override
    public Map<String, String[]> getParameterMap() {
        if (parameters == null) {
            Map<String, List<String>> all = new LinkedHashMap<>();
            super.getParameterMap().forEach((name, values) -> all.put(name, new ArrayList<>(List.of(values))));
            if (body != null && isForm()) {
                addFields(body, all);
            }
            Map<String, String[]> found = new LinkedHashMap<>();
            all.forEach((name, values) -> found.put(name, values.toArray(String[]::new)));
            parameters = Collections.unmodifiableMap(found);
        }
        return parameters;
    }

    private void addFields(SpooledBody form, Map<String, List<String>> all) {
        Charset charset =
                getCharacterEncoding() == null ? StandardCharsets.UTF_8 : Charset.forName(getCharacterEncoding());
        try (InputStream in = form.open()) {
            for (String field : new String(in.readAllBytes(), StandardCharsets.US_ASCII).split("&", -1)) {
                int equals = field.indexOf('=');
                String name = URLDecoder.decode(equals < 0 ? field : field.substring(0, equals), charset);
                String value = equals < 0 ? "" : URLDecoder.decode(field.substring(equals + 1), charset);
                if (!field.isEmpty()) {
                    all.computeIfAbsent(name, absent -> new ArrayList<>()).add(value);
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("the body of the request can't be read again", e);
        }
    }

    private boolean hides(String header) {
        String name = header.toLowerCase(Locale.ROOT);
        return dispatching != null && (HIDDEN.contains(name) || name.startsWith("if-"));
    }

    @Override
    public @Nullable String getHeader(String name) {
        return hides(name) ? null : super.getHeader(name);
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return hides(name) ? Collections.emptyEnumeration() : super.getHeaders(name);
    }

    @Override
    public Enumeration<String> getHeaderNames() {
        List<String> names = Collections.list(super.getHeaderNames());
        names.removeIf(this::hides);
        return Collections.enumeration(names);
    }

    @Override
    public long getDateHeader(String name) {
        return hides(name) ? -1 : super.getDateHeader(name);
    }

    @Override
    public int getIntHeader(String name) {
        return hides(name) ? -1 : super.getIntHeader(name);
    }

    /** Would give the container's own response to the handler, past the buffer. */
    @Override
    public AsyncContext startAsync() {
        return dispatching == null ? super.startAsync() : startAsync(this, dispatching.response());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        AsyncContext started = super.startAsync(request, response);
        return dispatching == null ? started : dispatching.asynchronous(started);
    }

    @Override
    public AsyncContext getAsyncContext() {
        AsyncContext wrapped = dispatching == null ? null : dispatching.asynchronous();
        return wrapped == null ? super.getAsyncContext() : wrapped;
    }
}
