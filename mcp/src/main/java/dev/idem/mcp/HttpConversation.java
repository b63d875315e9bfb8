package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.mcp.NoToolListException.Reason;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.OneLine;
import dev.idem.mcp.guard.SentRequests;
import dev.idem.mcp.guard.Workers;
import dev.idem.mcp.http.HttpHeaders;
import dev.idem.mcp.http.HttpUpstream;
import dev.idem.mcp.http.SseEvents;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Asks a server over HTTP. Closing it ends the session, where the server has opened one. */
final class HttpConversation implements Conversation {
    private static final System.Logger LOG = System.getLogger("dev.idem.mcp");
    private static final int LARGEST_BODY = 64 * 1024 * 1024;
    private static final Duration LONGEST_END = Duration.ofSeconds(5);
    private static final int LONGEST_SHOWN = 200;
    private static final String SESSION = "Mcp-Session-Id";
    private static final String REVISION = "MCP-Protocol-Version";

    /** The server wants a login, whatever the request says. */
    private static final Set<Integer> LOGIN = Set.of(401, 403);

    private final URI server;
    private final Duration limit;
    private final long until;
    private final ExecutorService worker = Executors.newSingleThreadExecutor(Workers::daemon);
    private final HttpUpstream upstream;
    private final Map<String, List<String>> headers = new ConcurrentHashMap<>();
    private int questions;

    /** @param limit for the whole conversation */
    HttpConversation(URI server, Duration limit) {
        this.server = server;
        this.limit = limit;
        this.until = System.nanoTime() + limit.toNanos();
        this.upstream = new HttpUpstream(server, worker, new SentRequests(), () -> {});
        headers.put("Content-Type", List.of("application/json"));
        headers.put("Accept", List.of("application/json, text/event-stream"));
    }

    @Override
    public Message ask(String method, Map<String, Object> params) throws NoToolListException, InterruptedException {
        String id = String.valueOf(++questions);
        if (params.get("_meta") instanceof Map<?, ?> meta) {
            headers.put(REVISION, List.of(String.valueOf(meta.get(Message.META + "protocolVersion"))));
        }
        byte[] question = bytes(Map.of("jsonrpc", "2.0", "id", questions, "method", method, "params", params));
        Message answer = within(method, () -> read(method, id, post(method, question)));
        if (method.equals("initialize") && answer.result("protocolVersion") instanceof String revision) {
            headers.put(REVISION, List.of(revision));
        }
        return answer;
    }

    @Override
    public void tell(String method) throws NoToolListException, InterruptedException {
        within(method, () -> {
            post(method, bytes(Map.of("jsonrpc", "2.0", "method", method)))
                    .body()
                    .close();
            return method;
        });
    }

    private static byte[] bytes(Map<String, Object> message) {
        return Json.write(message).getBytes(StandardCharsets.UTF_8);
    }

    private HttpResponse<InputStream> post(String method, byte[] body) throws IOException, InterruptedException {
        headers.put("Mcp-Method", List.of(method));
        return upstream.pass("POST", server, HttpHeaders.passedOf(headers), body);
    }

    private Message read(String method, String id, HttpResponse<InputStream> response)
            throws IOException, NoToolListException {
        HttpHeaders received = HttpHeaders.passedOf(response.headers().map());
        int status = response.statusCode();
        try (InputStream in = response.body()) {
            Message answer = received.isOfType("text/event-stream")
                    ? answerAmong(new SseEvents(in), id)
                    : Message.ofServer(SseEvents.withoutLineEnds(in.readNBytes(LARGEST_BODY)));
            boolean usable = status == 200
                    ? answer != null && (answer.isResponse() || answer.isError())
                    : answer != null && answer.isError() && !LOGIN.contains(status);
            if (answer == null || !usable) {
                throw noAnswer(method, status, received);
            }
            received.first(SESSION).ifPresent(session -> headers.put(SESSION, List.of(session)));
            return answer;
        }
    }

    private static @Nullable Message answerAmong(SseEvents events, String id) throws IOException {
        for (SseEvents.Event event = events.next(); event != null; event = events.next()) {
            Message message = event.data().length == 0 ? null : Message.ofServer(event.data());
            if (message != null && message.isResponse() && id.equals(message.id())) {
                return message;
            }
        }
        return null;
    }

    private NoToolListException noAnswer(String method, int status, HttpHeaders received) {
        if (status >= 300 && status < 400) {
            return new NoToolListException(Reason.REFUSED, upstream.moved(received));
        }
        return status == 200
                ? new NoToolListException(Reason.NOT_MCP, "the answer to " + method + " is no message of MCP")
                : new NoToolListException(
                        Reason.REFUSED, "the server answered " + method + " with HTTP status " + status);
    }

    private <T> T within(String method, Callable<T> work) throws NoToolListException, InterruptedException {
        Future<T> result = worker.submit(work);
        try {
            return result.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            result.cancel(true);
            throw new NoToolListException(
                    Reason.NO_ANSWER, "the server did not answer " + method + " within " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NoToolListException known) {
                throw known;
            } else if (e.getCause() instanceof IOException lost) {
                throw new NoToolListException(
                        Reason.NOT_REACHED, "the server can't be reached: " + HttpUpstream.why(lost));
            }
            String why = OneLine.of(String.valueOf(e.getMessage()), LONGEST_SHOWN);
            throw new NoToolListException(Reason.NOT_MCP, "the server can't be asked further: " + why);
        }
    }

    /** Nothing is lost here: what is no message ends the conversation. */
    @Override
    public String other() {
        return "";
    }

    @Override
    public void close() {
        try {
            if (headers.containsKey(SESSION)) {
                worker.submit(() -> {
                            headers.remove("Mcp-Method");
                            upstream.pass("DELETE", server, HttpHeaders.passedOf(headers), new byte[0])
                                    .body()
                                    .close();
                            return "";
                        })
                        .get(LONGEST_END.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.DEBUG, "the session was not ended", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            worker.shutdownNow();
        }
    }
}
