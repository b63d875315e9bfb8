package dev.idem.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Json;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.http.SseEvents;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A small MCP server over HTTP whose tools note each effect. Each tool shows one way to answer, or not to. */
final class HttpFixture implements AutoCloseable {
    static {
        // Else each response of the JDK's server waits 40 ms for an acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    final Queue<String> effects = new ConcurrentLinkedQueue<>();
    final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    final Queue<Map<String, List<String>>> headers = new ConcurrentLinkedQueue<>();
    final Queue<String> targets = new ConcurrentLinkedQueue<>();
    final CountDownLatch go = new CountDownLatch(1);
    final CountDownLatch staying = new CountDownLatch(1);
    final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger polls = new AtomicInteger();
    private final CompletableFuture<String> answerOfHost = new CompletableFuture<>();
    private final CompletableFuture<Message> resumable = new CompletableFuture<>();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final HttpServer server;

    HttpFixture() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/", this::handle);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    private void handle(HttpExchange http) throws IOException {
        try (http) {
            headers.add(Map.copyOf(http.getRequestHeaders()));
            targets.add(http.getRequestURI().toString());
            byte[] body = http.getRequestBody().readAllBytes();
            if (http.getRequestURI().getPath().startsWith("/.well-known/")) {
                json(http, 200, "{\"resource\":\"x\"}");
            } else if (http.getRequestMethod().equals("GET")) {
                get(http);
            } else if (http.getRequestMethod().equals("DELETE")) {
                http.sendResponseHeaders(204, -1);
            } else {
                bodies.add(new String(body, StandardCharsets.UTF_8));
                post(http, Message.ofHost(SseEvents.withoutLineEnds(body)));
            }
        } catch (Message.Malformed | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void get(HttpExchange http) throws IOException {
        String last = http.getRequestHeaders().getFirst("Last-Event-ID");
        String tool = resumable.isDone() ? String.valueOf(resumable.join().param("name")) : "";
        if (last != null && tool.equals("restart") && polls.incrementAndGet() == 1) {
            http.sendResponseHeaders(503, -1);
            return;
        }
        OutputStream out = stream(http);
        if (last != null && tool.equals("poll") && Integer.parseInt(last) < 30) {
            out.write(("id: " + (Integer.parseInt(last) + 1) + "\ndata:\n\n").getBytes(StandardCharsets.UTF_8));
        } else if (last != null && tool.equals("cutInAnEvent") && polls.incrementAndGet() == 1) {
            out.write("id: 1\ndata: {\"jso".getBytes(StandardCharsets.UTF_8));
        } else if (last != null && (!tool.equals("cutInAnEvent") || last.equals("0"))) {
            say(out, result(resumable.join(), "resumed"));
        } else if ("true".equals(http.getRequestHeaders().getFirst("X-Stay"))) {
            staying.countDown();
            try {
                for (int i = 0; i < 10_000; i++) {
                    TimeUnit.MILLISECONDS.sleep(20);
                    out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            } catch (IOException | InterruptedException e) {
                closed.countDown();
            }
        } else {
            out.write(": hello\n\nid: 7\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"news\"}\n\n"
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    private void post(HttpExchange http, Message message) throws IOException, InterruptedException {
        if (message.isResponse()) {
            answerOfHost.complete(new String(message.bytes(), StandardCharsets.UTF_8));
            http.sendResponseHeaders(202, -1);
        } else if (message.is("initialize")) {
            http.getResponseHeaders().set("Mcp-Session-Id", "s-1");
            json(http, 200, result(message, "hello"));
        } else if (message.is("tools/list")) {
            String tools = "{\"tools\":[{\"name\":\"pay\",\"inputSchema\":{\"type\":\"object\"}}]}";
            String list = "{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"result\":" + tools + "}";
            if (message.param("stream") == null) {
                json(http, 200, list);
            } else {
                say(stream(http), list);
            }
        } else if (message.is("tools/call")) {
            call(http, message);
        } else if (message.is("moved")) {
            http.getResponseHeaders().set("Location", "https://elsewhere.example/mcp");
            http.sendResponseHeaders(307, -1);
        } else if (message.isRequest()) {
            json(http, 200, result(message, "{ \"odd\":  1.0e0 }"));
        } else {
            http.sendResponseHeaders(202, -1);
        }
    }

    private void call(HttpExchange http, Message message) throws IOException, InterruptedException {
        String tool = String.valueOf(message.param("name"));
        String token = String.valueOf(message.meta("progressToken"));
        switch (tool) {
            case "closed" -> {
                http.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"mail\"");
                json(http, 401, "{\"error\":\"who are you\"}");
                return;
            }
            case "expired" -> {
                json(
                        http,
                        404,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + message.id()
                                + ",\"error\":{\"code\":-32001,\"message\":\"no such session\"}}");
                return;
            }
            case "seeOther" -> {
                effects.add(tool);
                http.getResponseHeaders().set("Location", "/done/1");
                http.sendResponseHeaders(303, -1);
                return;
            }
            case "answer" -> {
                // With the status and the code of the arguments; the code 0 is a result.
                effects.add(tool);
                Map<?, ?> arguments = (Map<?, ?>) message.param("arguments");
                int code = ((Long) arguments.get("code")).intValue();
                String answer = code == 0 ? result(message, "answer done") : error(message, code);
                int status = ((Long) arguments.get("status")).intValue();
                if (arguments.containsKey("stream")) {
                    http.getResponseHeaders().set("Content-Type", "text/event-stream");
                    http.sendResponseHeaders(status, 0);
                    say(http.getResponseBody(), answer);
                } else {
                    json(http, status, answer);
                }
                return;
            }
            case "badAfterAll" -> {
                effects.add(tool);
                json(http, 400, error(message, -32603));
                return;
            }
            case "moved" -> {
                effects.add(tool);
                http.getResponseHeaders().set("Location", "https://elsewhere.example/mcp");
                http.sendResponseHeaders(307, -1);
                return;
            }
            default -> effects.add(tool);
        }
        String done = result(message, tool + " done");
        switch (tool) {
            case "die" -> http.getResponseBody().close();
            case "broken" -> json(http, 500, "{}");
            case "status502", "status503", "status504" -> json(http, Integer.parseInt(tool.substring(6)), "{}");
            case "oddLength" -> {
                http.getResponseHeaders().set("Content-Length", "unknown");
                json(http, 200, done, 0);
            }
            case "cut" -> stream(http).write("event: message\ndata: {\"jso".getBytes(StandardCharsets.UTF_8));
            case "twice" -> {
                OutputStream out = stream(http);
                say(out, done);
                say(out, done);
            }
            case "late" -> {
                go.await();
                json(http, 200, done);
            }
            case "progress" -> {
                OutputStream out = stream(http);
                say(
                        out,
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":"
                                + Json.write(token) + ",\"progress\":1}}");
                say(out, done);
            }
            case "held" -> {
                // As another guard says it, before it makes the call.
                boolean first = effects.stream().filter(tool::equals).count() == 1;
                json(
                        http,
                        200,
                        first
                                ? done.replace(
                                        "\"content\"",
                                        "\"_meta\":{\"dev.idem/status\":\"needs_approval\"}," + "\"content\"")
                                : done);
            }
            case "chatty" -> {
                OutputStream out = stream(http);
                String log = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\""
                        + "x".repeat(1_000_000) + "\"}}";
                for (int i = 0; i < 30; i++) {
                    say(out, log);
                }
                say(out, done);
            }
            case "poll", "cutInAnEvent" -> {
                resumable.complete(message);
                stream(http).write("id: 0\nretry: 1\ndata:\n\n".getBytes(StandardCharsets.UTF_8));
            }
            case "resume", "restart" -> {
                resumable.complete(message);
                stream(http).write("id: 1\nretry: 1\ndata:\n\n".getBytes(StandardCharsets.UTF_8));
            }
            case "elicit" -> {
                OutputStream out = stream(http);
                say(out, "{\"jsonrpc\":\"2.0\",\"id\":\"e1\",\"method\":\"elicitation/create\",\"params\":{}}");
                go.await();
                say(out, "{\"jsonrpc\":\"2.0\",\"id\":\"e2\",\"method\":\"elicitation/create\",\"params\":{}}");
                say(out, result(message, answerOfHost.join()));
            }
            case "find" ->
                json(
                        http,
                        200,
                        "{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"result\":{\"content\":[],"
                                + "\"structuredContent\":{\"found\":\"yes\"}}}");
            default -> json(http, 200, done);
        }
    }

    private static String error(Message message, int code) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"error\":{\"code\":" + code + ",\"message\":\"no\"}}";
    }

    private static OutputStream stream(HttpExchange http) throws IOException {
        http.getResponseHeaders().set("Content-Type", "text/event-stream");
        http.sendResponseHeaders(200, 0);
        return http.getResponseBody();
    }

    private static void say(OutputStream out, String message) throws IOException {
        out.write(("event: message\ndata: " + message + "\n\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static void json(HttpExchange http, int status, String text) throws IOException {
        json(http, status, text, text.getBytes(StandardCharsets.UTF_8).length);
    }

    private static void json(HttpExchange http, int status, String text, long length) throws IOException {
        http.getResponseHeaders().set("Content-Type", "application/json");
        http.sendResponseHeaders(status, length);
        http.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String result(Message message, String text) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ", \"result\":{\"content\":[{\"type\":\"text\",\"text\":"
                + Json.write(text) + "}]}}";
    }

    @Override
    public void close() {
        go.countDown();
        server.stop(0);
        workers.shutdownNow();
    }
}
