package dev.idem.mcp.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Idem;
import dev.idem.mcp.guard.GuardSettings;
import dev.idem.mcp.guard.HostCall;
import dev.idem.mcp.guard.McpAnswers;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.RpcError;
import dev.idem.mcp.guard.SentRequests;
import dev.idem.mcp.guard.ToolCalls;
import dev.idem.mcp.guard.Workers;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Passes requests between hosts and a server that speaks MCP over HTTP. Tool calls go through the guard. */
public final class HttpRelay {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int LARGEST_REQUEST = 64 * 1024 * 1024;
    /** Connections that come at once. The usual 50 are too few for hosts that make many calls: others are reset. */
    private static final int MOST_UNACCEPTED = 1000;

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private static final Pattern WELL_KNOWN = Pattern.compile("/\\.well-known/(?:[\\w~-]+[./]?)+");

    private final URI server;
    private final UserHeaders users;
    private final Duration signOfLife;
    private final Duration ping;
    private final SentRequests sent = new SentRequests();
    private final ExecutorService callers = Workers.forCalls();
    private final ExecutorService workers = Workers.forOthers();
    private final ScheduledExecutorService signs = Executors.newSingleThreadScheduledExecutor(Workers::daemon);
    private final HttpUpstream upstream;
    private final ToolCalls toolCalls;
    private final PassingStreams passing = new PassingStreams();

    private final Set<HttpCall> running = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile boolean ended;
    private volatile String host = "";
    private volatile @Nullable HttpServer listening;

    public HttpRelay(
            Idem idem, GuardSettings settings, URI server, UserHeaders users, Duration signOfLife, Duration ping) {
        this.server = server;
        this.users = users;
        this.signOfLife = signOfLife;
        this.ping = ping;
        this.upstream = new HttpUpstream(server, workers, sent, this::listChanged);
        this.toolCalls = new ToolCalls(idem, settings, upstream);
    }

    private void listChanged() {
        toolCalls.listChanged();
    }

    /** Starts to listen, and gives the URL for hosts. */
    public URI start(String on, int port) throws IOException {
        host = on;
        InetSocketAddress place = new InetSocketAddress(on, port);
        if (users.areGuessed() && !place.isUnresolved() && !place.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("other machines reach " + on + ", and one user could get the result of "
                    + "another. Name the header by which a login proxy tells the user (--user-header X-Forwarded-Email), "
                    + "or say that there is one user (--single-user)");
        }
        HttpServer http = HttpServer.create(place, MOST_UNACCEPTED);
        http.setExecutor(workers);
        http.createContext("/", this::handle);
        http.start();
        listening = http;
        every(signOfLife, this::giveSigns);
        every(ping, this::pingHosts);
        String name = on.contains(":") ? "[" + on + "]" : on;
        return URI.create("http://" + name + ":" + http.getAddress().getPort() + path(server));
    }

    private void every(Duration time, Runnable work) {
        var unused = signs.scheduleAtFixedRate(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        // A timer whose work has thrown would end.
                        LOG.log(Level.WARNING, "a timer of the guard failed", e);
                    }
                },
                time.toNanos(),
                time.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    private static String path(URI server) {
        String path = server.getRawPath();
        return path == null || path.isEmpty() ? "/" : path;
    }

    /** Waits until {@link #end} was called. */
    public void awaitEnd() {
        over.join();
    }

    /** The calls that the guard would have stopped, in words; for a guard in the shadow. */
    public String shadowSummary() {
        return toolCalls.shadowSummary();
    }

    /** Takes no more requests. Calls that run are waited for, but not longer than this. */
    public void end(Duration longest) {
        ended = true;
        Workers.awaitAll(running.stream().map(HostCall::whenOver), longest);
        HttpServer http = listening;
        if (http != null) {
            http.stop(0);
        }
        passing.closeAll();
        signs.shutdownNow();
        callers.shutdown();
        workers.shutdown();
        over.complete(null);
    }

    private void giveSigns() {
        for (HttpCall call : running) {
            byte[] sign = call.sign();
            if (sign != null) {
                call.toHost(sign);
            }
        }
    }

    /** Finds out which hosts are gone: a server must not wait for them. */
    private void pingHosts() {
        for (HttpCall call : running) {
            call.ping();
            if (!call.isAttached()) {
                upstream.answerForHost(call);
            }
        }
        passing.ping();
    }

    private void handle(HttpExchange http) {
        HostExchange exchange = new HostExchange(http, workers);
        try (exchange) {
            String path = http.getRequestURI().getRawPath();
            String query = http.getRequestURI().getRawQuery();
            String method = http.getRequestMethod();
            boolean isWellKnown = path != null && WELL_KNOWN.matcher(path).matches();
            if (!isAllowed(http)) {
                refuse(exchange, 403, null, "requests come from this machine only; see --listen");
            } else if (ended) {
                refuse(exchange, 503, null, "the guard is ending");
            } else if (method.equals("OPTIONS") && http.getRequestHeaders().containsKey("Origin")) {
                exchange.allow();
            } else if (path(server).equals(path)) {
                String missing = users.missingIn(exchange.headers());
                if (missing != null) {
                    refuse(exchange, 400, null, "the header " + missing + ", which names the user, is missing");
                } else if (method.equals("POST")) {
                    post(exchange);
                } else {
                    pass(exchange, method, upstream.endpoint(query), null, new byte[0]);
                }
            } else if (isWellKnown && method.equals("GET")) {
                URI to = upstream.at(path + (query == null ? "" : "?" + query));
                pass(exchange, method, to, null, new byte[0]);
            } else {
                refuse(exchange, 404, null, "the path is not that of the server");
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the host is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A page of another site in a browser could reach a server on this machine by a name of its own. */
    private boolean isAllowed(HttpExchange http) {
        String origin = http.getRequestHeaders().getFirst("Origin");
        String to = http.getRequestHeaders().getFirst("Host");
        boolean loopback = http.getLocalAddress().getAddress().isLoopbackAddress();
        return to != null && names("http://" + to, loopback) && (origin == null || names(origin, true));
    }

    /** Whether a URL names the place that the guard listens on; or this machine, for itself only. */
    private boolean names(String url, boolean orThisMachine) {
        try {
            String name = URI.create(url).getHost();
            return name != null
                    && ((orThisMachine && LOOPBACK.contains(name.toLowerCase(Locale.ROOT)))
                            || name.equalsIgnoreCase(host)
                            || name.equalsIgnoreCase("[" + host + "]"));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void refuse(HostExchange exchange, int status, @Nullable String id, String why) throws IOException {
        int code = status < 500 ? RpcError.INVALID_REQUEST : RpcError.OF_THE_GUARD;
        exchange.refuse(status, McpAnswers.error(id, code, why));
    }

    private void post(HostExchange exchange) throws IOException, InterruptedException {
        if (exchange.headers().first("content-encoding").isPresent()
                || !exchange.headers().sayJson()) {
            refuse(exchange, 415, null, "send Content-Type: application/json, in UTF-8 and not compressed");
            return;
        }
        byte[] body = exchange.body(LARGEST_REQUEST);
        if (body == null) {
            refuse(exchange, 413, null, "a message has more than " + LARGEST_REQUEST + " bytes; it was not passed on");
            return;
        }
        Message message;
        byte[] line = SseEvents.withoutLineEnds(body);
        try {
            message = Message.ofHost(line);
        } catch (Message.Malformed e) {
            String why = "this message was not passed on: " + e.getMessage();
            exchange.refuse(400, McpAnswers.error(Message.idOfUnreadable(line), e.code, why));
            return;
        }
        if (message.is("tools/call")) {
            call(exchange, message);
        } else {
            pass(exchange, "POST", upstream.endpoint(exchange.query()), message, body);
        }
    }

    private void call(HostExchange exchange, Message request) throws IOException {
        byte[] refusal = request.isRequest()
                ? ToolCalls.refusal(request)
                : McpAnswers.error(null, RpcError.INVALID_REQUEST, "a call has an id");
        if (refusal != null) {
            exchange.refuse(400, refusal);
            return;
        }
        HttpCall call = HttpCall.of(request, users, exchange);
        try {
            call.keyBeside();
        } catch (IllegalArgumentException e) {
            refuse(exchange, 400, request.id(), "the header Idempotency-Key is malformed: " + e.getMessage());
            return;
        }
        running.add(call);
        if (ended) {
            // It began to end after this request was let in, and does not wait for it.
            over(call);
            refuse(exchange, 503, request.id(), "the guard is ending");
            return;
        }
        try {
            exchange.answerLater(
                    toolCalls.isOwn(request) ? workers : callers, () -> answer(call, exchange), () -> over(call));
        } catch (RejectedExecutionException e) {
            over(call);
            refuse(exchange, 503, request.id(), "the guard is ending");
        }
    }

    private void answer(HttpCall call, HostExchange exchange) {
        try {
            byte[] answer = toolCalls.answer(call);
            HttpRefusal theirs = call.refusal();
            if (theirs == null || !exchange.refuse(theirs)) {
                exchange.answer(answer);
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the host is gone", e);
        }
    }

    private void over(HttpCall call) {
        running.remove(call);
        call.over();
    }

    /** Passes a request and its response as they are. The host gets the progress of its calls under its own token. */
    private void pass(HostExchange exchange, String method, URI to, @Nullable Message request, byte[] body)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> response;
        Optional<String> session = exchange.headers().first("mcp-session-id");
        try {
            if (method.equals("GET") && session.isPresent()) {
                passing.closeAbandoned(session.get());
            }
            response = upstream.pass(method, to, exchange.headers(), body);
        } catch (IOException e) {
            String id = request == null ? null : request.id();
            refuse(exchange, 502, id, "the MCP server can't be reached: " + HttpUpstream.why(e));
            return;
        }
        int status = response.statusCode();
        HttpHeaders headers = HttpHeaders.passedOf(response.headers().map());
        Message list = request != null && request.is("tools/list") ? request : null;
        String audience = list == null ? "" : HttpCall.audience(exchange.headers(), exchange.query());
        try (InputStream in = response.body()) {
            if (status >= 300 && status < 400 && status != 304) {
                // A host that followed it would reach the server past the guard.
                refuse(exchange, 502, request == null ? null : request.id(), upstream.moved(headers));
            } else if (status == 200 && headers.isOfType("text/event-stream")) {
                PassingStreams.Passing stream = passing.add(in, session, workers);
                try {
                    if (ended) {
                        refuse(exchange, 503, request == null ? null : request.id(), "the guard is ending");
                        return;
                    }
                    stream.out().open(exchange.begin(status, headers, -1));
                    passEvents(stream, list, audience);
                } finally {
                    passing.remove(stream);
                }
            } else if (status == 200 && list != null && headers.isOfType("application/json")) {
                byte[] listed = listed(in.readAllBytes(), list, audience);
                exchange.begin(status, headers, listed.length).write(listed);
            } else {
                long length =
                        response.headers().firstValueAsLong("content-length").orElse(-1);
                boolean none = status == 202 || status == 204 || status == 304;
                in.transferTo(exchange.begin(status, headers, none ? 0 : length));
            }
        }
    }

    private void passEvents(PassingStreams.Passing stream, @Nullable Message list, String audience)
            throws IOException, InterruptedException {
        try (SseEvents events = new SseEvents(stream.in())) {
            boolean isThere = true;
            for (SseEvents.Event event = events.next(); event != null && isThere; event = events.next()) {
                byte[] passed = passed(event, list, audience);
                isThere = passed.length == 0 || stream.out().put(passed);
            }
        } finally {
            stream.out().finish();
        }
    }

    private byte[] passed(SseEvents.Event event, @Nullable Message list, String audience) {
        Message message = event.data().length == 0 ? null : Message.ofServer(event.data());
        if (message != null && sent.isProgress(message)) {
            byte[] progress = sent.progress(message);
            return progress == null ? new byte[0] : SseEvents.of(progress);
        } else if (message != null && list != null && message.isResponse()) {
            return SseEvents.of(toolCalls.listed(audience, list, message));
        } else if (message != null && message.is("notifications/tools/list_changed")) {
            toolCalls.listChanged();
        }
        return event.raw();
    }

    private byte[] listed(byte[] body, Message list, String audience) {
        Message message = Message.ofServer(SseEvents.withoutLineEnds(body));
        return message == null ? body : toolCalls.listed(audience, list, message);
    }
}
