package dev.idem.mcp;

import dev.idem.NotExecutedException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** A server that is reached over HTTP. Thread-safe. */
final class HttpUpstream implements Upstream {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int LARGEST_BODY = 256 * 1024 * 1024;
    private static final Duration CONNECT = Duration.ofSeconds(30);
    private static final int MOST_RESUMPTIONS = 20;

    private final URI server;
    private final Executor workers;
    private final SentRequests sent;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT)
            .build();

    HttpUpstream(URI server, Executor workers, SentRequests sent) {
        this.server = server;
        this.workers = workers;
        this.sent = sent;
    }

    /** Sends a request of a host as it is. */
    HttpResponse<InputStream> pass(String method, URI to, HttpHeaders headers, byte[] body)
            throws IOException, InterruptedException {
        BodyPublisher publisher = body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body);
        return http.send(request(to, headers).method(method, publisher).build(), BodyHandlers.ofInputStream());
    }

    private static HttpRequest.Builder request(URI to, HttpHeaders headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(to);
        headers.lines().forEach((name, values) -> values.forEach(value -> request.header(name, value)));
        return request;
    }

    @Override
    public CompletableFuture<Message> send(Message request, HostCall from) {
        String id = sent.newId();
        CompletableFuture<Message> response = new CompletableFuture<>();
        sent.await(id, from, response);
        workers.execute(() -> {
            try {
                exchange(SentRequests.renamed(id, request, from), (HttpCall) from);
                sent.lose(id, new NoAnswerException("the server ended its response before it answered"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                sent.lose(id, e);
            } catch (IOException | RuntimeException | NoAnswerException e) {
                sent.lose(id, e);
            }
        });
        return response;
    }

    private void exchange(byte[] request, HttpCall call) throws IOException, InterruptedException, NoAnswerException {
        HttpResponse<InputStream> response;
        try {
            response = pass("POST", server, call.headers(), request);
        } catch (ConnectException | HttpConnectTimeoutException e) {
            throw new NotExecutedException("the MCP server can't be reached: " + e.getMessage(), e);
        }
        HttpHeaders headers = HttpHeaders.passedOf(response.headers().map());
        try (InputStream body = response.body()) {
            if (response.statusCode() == 200 && headers.isOfType("application/json")) {
                answered(body.readNBytes(LARGEST_BODY));
            } else if (response.statusCode() == 200 && headers.isOfType("text/event-stream")) {
                stream(body, call);
            } else {
                refused(new HttpRefusal(response.statusCode(), headers, body.readNBytes(LARGEST_BODY)), call);
            }
        }
    }

    private void answered(byte[] body) {
        Message message = Message.ofServer(SseEvents.withoutLineEnds(body));
        if (message != null) {
            sent.answeredBy(message);
        }
    }

    private static void refused(HttpRefusal refusal, HttpCall call) throws NoAnswerException {
        int status = refusal.status();
        if (status >= 300 && status < 400) {
            throw new NotExecutedException("the MCP server has moved to "
                    + refusal.headers().first("location").orElse("another place") + "; start the guard with that URL");
        } else if (status < 300) {
            throw new NoAnswerException("the server answered with HTTP status " + status + " and no result");
        }
        Message error = Message.ofServer(SseEvents.withoutLineEnds(refusal.body()));
        byte[] body = error == null || error.id() == null
                ? refusal.body()
                : Splice.replace(refusal.body(), String.valueOf(call.request().id()), "id");
        call.refusedBy(new HttpRefusal(status, refusal.headers(), body));
        if (refusal.saysNothingRan()) {
            throw new NotExecutedException("the MCP server refused the call with HTTP status " + status);
        }
        throw new NoAnswerException("the server answered with HTTP status " + status);
    }

    /** Reads the events of a response until the answer. A stream with ids is taken up again where it was cut. */
    private void stream(InputStream body, HttpCall call) throws IOException, InterruptedException {
        SseEvents events = new SseEvents(body);
        for (int i = 0; i < MOST_RESUMPTIONS && !readAnswer(events, call); i++) {
            String last = events.lastId();
            if (last == null) {
                return;
            }
            TimeUnit.MILLISECONDS.sleep(events.pause());
            HttpRequest again = request(server, call.headers().forStream())
                    .header("Last-Event-ID", last)
                    .GET()
                    .build();
            HttpResponse<InputStream> response = http.send(again, BodyHandlers.ofInputStream());
            if (response.statusCode() != 200) {
                response.body().close();
                return;
            }
            events = events.goneOn(response.body());
        }
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

    private boolean isAnswer(byte[] data, HttpCall call) throws IOException {
        Message message = Message.ofServer(data);
        if (message == null) {
            return sent.garbledBy(data);
        } else if (message.isResponse()) {
            return sent.answeredBy(message);
        }
        byte[] forHost = sent.isProgress(message) ? sent.progress(message) : data;
        boolean reached = forHost != null && call.toHost(forHost);
        if (message.isRequest() && !reached) {
            answerForHost(message, call);
        }
        return false;
    }

    /** A server that asks a host that is gone must not wait for ever. */
    private void answerForHost(Message request, HttpCall call) throws IOException {
        try {
            byte[] answer = McpAnswers.hostIsGone(request);
            pass("POST", server, call.headers().forStream(), answer).body().close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
