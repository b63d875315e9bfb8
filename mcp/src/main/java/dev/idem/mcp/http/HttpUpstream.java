package dev.idem.mcp.http;

import dev.idem.Classifier.Judgement;
import dev.idem.NotExecutedException;
import dev.idem.agent.retry.Failures;
import dev.idem.agent.tool.RefusalWords;
import dev.idem.mcp.guard.HostCall;
import dev.idem.mcp.guard.McpAnswers;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.NoAnswerException;
import dev.idem.mcp.guard.SentRequests;
import dev.idem.mcp.guard.Splice;
import dev.idem.mcp.guard.Upstream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A server that is reached over HTTP. Thread-safe. */
public final class HttpUpstream implements Upstream {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int LARGEST_BODY = 256 * 1024 * 1024;
    private static final Duration CONNECT = Duration.ofSeconds(30);
    /** How often a cut stream is taken up again without a new event. */
    private static final int MOST_EMPTY = 20;

    private final URI server;
    private final Executor workers;
    private final SentRequests sent;
    private final Runnable listChanged;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    /** @param listChanged is told when the server says that its tools have changed */
    public HttpUpstream(URI server, Executor workers, SentRequests sent, Runnable listChanged) {
        this.server = server;
        this.listChanged = listChanged;
        this.workers = workers;
        this.sent = sent;
    }

    /** The URL of the server with the query of a host. */
    URI endpoint(@Nullable String query) {
        String own = server.getRawQuery();
        if (query == null) {
            return server;
        }
        return at(server.getRawPath() + "?" + (own == null ? "" : own + "&") + query);
    }

    /** A URL on the machine of the server. */
    URI at(String pathAndQuery) {
        return URI.create(server.getScheme() + "://" + server.getRawAuthority() + pathAndQuery);
    }

    /** Sends a request of a host as it is. */
    public HttpResponse<InputStream> pass(String method, URI to, HttpHeaders headers, byte[] body)
            throws IOException, InterruptedException {
        BodyPublisher publisher = body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        HttpRequest request = request(to, headers).method(method, publisher).build();
        try {
            return http.send(request, BodyHandlers.ofInputStream());
        } catch (IllegalArgumentException e) {
            // A malformed number in the head of the answer. The server has acted, unlike where the request can't be
            // made.
            throw new IOException("the answer of the server can't be read: " + e.getMessage(), e);
        }
    }

    private static HttpRequest.Builder request(URI to, HttpHeaders headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(to);
        headers.lines().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return request;
    }

    /** A closed connection, a cut stream and a gateway that gives up say nothing about the server. */
    @Override
    public boolean endsAreSeen() {
        return false;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // whatever goes wrong, the call that waits is to be told
    public CompletableFuture<Message> send(Message request, HostCall from) {
        String id = sent.newId();
        CompletableFuture<Message> response = new CompletableFuture<>();
        sent.await(id, from, response);
        Runnable exchange = () -> {
            try {
                exchange(SentRequests.renamed(id, request, from), (HttpCall) from);
                sent.lose(id, new NoAnswerException("the server ended its response before it answered"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                sent.lose(id, e);
            } catch (IOException | RuntimeException | NoAnswerException e) {
                sent.lose(id, e);
            } catch (Error e) {
                sent.lose(id, new NoAnswerException("the guard failed: " + RefusalWords.described(e)));
                throw e;
            }
        };
        try {
            workers.execute(exchange);
        } catch (RuntimeException e) {
            sent.lose(id, new NotExecutedException("the guard is ending", e));
        }
        return response;
    }

    /**
     * Whether the server can't have got the request. An alert of the server is no proof: with TLS 1.3, a client may send
     * before it learns that the server refuses its certificate.
     */
    static boolean neverSent(IOException thrown) {
        return Failures.network().judge(thrown) == Judgement.DEFINITE;
    }

    private void exchange(byte[] request, HttpCall call) throws IOException, InterruptedException, NoAnswerException {
        HttpResponse<InputStream> response;
        try {
            response = pass("POST", endpoint(call.query()), call.headers(), request);
        } catch (IOException | IllegalArgumentException e) {
            if (e instanceof IOException lost && !neverSent(lost)) {
                throw e;
            }
            throw new NotExecutedException("the MCP server can't be reached: " + why(e), e);
        }
        HttpHeaders headers = HttpHeaders.passedOf(response.headers().map());
        try (InputStream body = response.body()) {
            int status = response.statusCode();
            if (headers.isOfType("text/event-stream")) {
                if (!stream(body, call) && status != 200) {
                    refused(new HttpRefusal(status, headers, new byte[0]), call);
                }
            } else if (status == 200) {
                answered(body.readNBytes(LARGEST_BODY));
            } else {
                refused(new HttpRefusal(status, headers, body.readNBytes(LARGEST_BODY)), call);
            }
        }
    }

    /** Why a connection failed, for people. The JDK often gives no message. */
    public static String why(Exception e) {
        if (e.getCause() instanceof UnresolvedAddressException) {
            return "its name is not known";
        }
        String message = e.getMessage();
        return message != null ? message : e instanceof ConnectException ? "the connection was refused" : e.toString();
    }

    private boolean answered(byte[] body) {
        Message message = Message.ofServer(SseEvents.withoutLineEnds(body));
        return message != null && message.isResponse() && sent.answeredBy(message);
    }

    /** Where a server has moved to. Its query may hold a secret. */
    public String moved(HttpHeaders headers) {
        String place;
        try {
            URI to = server.resolve(headers.first("location").orElse(""));
            place = to.getScheme() + "://" + to.getRawAuthority() + to.getRawPath();
        } catch (IllegalArgumentException e) {
            place = "another place";
        }
        return "the MCP server has moved to " + place + ". The guard must be started with that URL";
    }

    private void refused(HttpRefusal refusal, HttpCall call) throws NoAnswerException {
        int status = refusal.status();
        if (status >= 400) {
            Message error = Message.ofServer(SseEvents.withoutLineEnds(refusal.body()));
            byte[] body = error == null || error.id() == null
                    ? refusal.body()
                    : Splice.replace(
                            refusal.body(), String.valueOf(call.request().id()), "id");
            call.refusedBy(new HttpRefusal(status, refusal.headers(), body));
        }
        if (answered(refusal.body())) {
            // Servers give any status to the answer of a tool that has run: the answer itself tells.
            return;
        } else if (status >= 300
                && status < 400
                && refusal.headers().first("location").isPresent()) {
            // A server may answer so after its tool has acted.
            throw new NoAnswerException("it was answered with a redirect: " + moved(refusal.headers()));
        } else if (status < 400) {
            throw new NoAnswerException("the server answered with HTTP status " + status + " and no result");
        } else if (refusal.saysNothingRan()) {
            throw new NotExecutedException("the MCP server refused the call with HTTP status " + status);
        }
        throw new NoAnswerException("the server answered with HTTP status " + status);
    }

    /** Whether the answer was among the events. A stream with ids is taken up again where it was cut. */
    private boolean stream(InputStream body, HttpCall call) throws IOException, InterruptedException {
        SseEvents events = new SseEvents(body);
        String last = null;
        for (int empty = 0; empty <= MOST_EMPTY; ) {
            if (readAnswer(events, call)) {
                return true;
            }
            empty = Objects.equals(last, events.lastId()) ? empty + 1 : 0;
            last = events.lastId();
            if (last == null) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(events.pause());
            events = events.goneOn(resumed(last, call));
        }
        events.close();
        return false;
    }

    /** The stream after an event; an empty one where the server is not there for a moment. */
    private InputStream resumed(String last, HttpCall call) throws IOException, InterruptedException {
        HttpRequest request = request(endpoint(call.query()), call.headers().forStream())
                .setHeader("Last-Event-ID", last)
                .GET()
                .build();
        HttpResponse<InputStream> response;
        try {
            response = http.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            return InputStream.nullInputStream();
        }
        int status = response.statusCode();
        if (status != 200) {
            response.body().close();
        }
        if (status == 200) {
            return response.body();
        } else if (status == 502 || status == 503) {
            return InputStream.nullInputStream();
        }
        throw new IOException("the stream can't be taken up again: HTTP status " + status);
    }

    /** Whether the answer was among the events. The stream is closed. */
    private boolean readAnswer(SseEvents events, HttpCall call) {
        try (events) {
            for (SseEvents.Event event = events.next(); event != null; event = events.next()) {
                if (event.data().length > 0 && isAnswer(event.data(), call)) {
                    return true;
                }
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "the response of the server was cut", e);
        }
        return false;
    }

    private boolean isAnswer(byte[] data, HttpCall call) {
        Message message = Message.ofServer(data);
        if (message == null) {
            return sent.garbledBy(data);
        } else if (message.isResponse()) {
            return sent.answeredBy(message);
        }
        if (message.is("notifications/tools/list_changed")) {
            listChanged.run();
        }
        byte[] forHost = sent.isProgress(message) ? sent.progress(message) : data;
        boolean reached = forHost != null && call.toHost(forHost);
        if (message.isRequest()) {
            call.isAsked(message);
            if (!reached) {
                answerForHost(call);
            }
        }
        return false;
    }

    /** Answers what the server has asked a host that is gone: it must not wait for ever. */
    void answerForHost(HttpCall call) {
        for (Message question = call.nextAsked(); question != null; question = call.nextAsked()) {
            byte[] answer = McpAnswers.hostIsGone(question);
            workers.execute(() -> {
                try {
                    pass("POST", endpoint(call.query()), call.headers().forStream(), answer)
                            .body()
                            .close();
                } catch (IOException e) {
                    LOG.log(Level.DEBUG, "the server is gone as well", e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }
}
