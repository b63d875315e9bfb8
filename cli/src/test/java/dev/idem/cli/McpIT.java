package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code idem mcp} as hosts start it. */
class McpIT extends ProcessCase {
    /** A server that writes much to stderr, and one line for each effect. It answers when it is let go. */
    private static final String SERVER = """
            head -c 3000000 /dev/zero | tr '\\0' 'x' >&2
            while IFS= read -r line; do
              case $line in *'"tools/call"'*)
                echo paid >> effects
                while [ -e wait ]; do sleep 0.01; done
                id=$(printf '%s' "$line" | sed 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/')
                printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"done"}]}}\\n' "$id"
              esac
            done
            """;

    private static String call(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"pay\","
                + "\"arguments\":{\"to\":\"ann\"}}}";
    }

    private List<String> server() throws IOException {
        Path file = Files.writeString(home.resolve("server.sh"), SERVER);
        return List.of("sh", "-c", "cd '" + home + "' && exec sh " + file.getFileName());
    }

    private List<String> guard(String... options) throws IOException {
        List<String> words = new ArrayList<>(List.of("mcp", "--name", "mail"));
        words.addAll(List.of(options));
        words.add("--");
        words.addAll(server());
        return Idems.command(List.of(), words.toArray(String[]::new));
    }

    @Test
    void aHostStartsItFromAnyFolderWithAlmostNoVariables() throws Exception {
        Path in = Files.writeString(home.resolve("in"), call(1) + "\n" + call(2) + "\n");
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        ProcessBuilder host = new ProcessBuilder(guard())
                .directory(Path.of("/").toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        String path = System.getenv("PATH");
        host.environment().clear();
        host.environment().putAll(Map.of("HOME", home.toString(), "PATH", path));
        Process process = host.start();
        try {
            assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }

        assertThat(Files.readString(out).lines())
                .hasSize(2)
                .anyMatch(line -> line.startsWith("{\"jsonrpc\":\"2.0\",\"id\":1,") && line.contains("done"))
                .anyMatch(line -> line.contains("\"id\":2") && line.contains("replayed"));
        assertThat(effects()).hasSize(1);
        assertThat(Files.size(err)).isGreaterThanOrEqualTo(3_000_000);
    }

    @Test
    void aSignalLetsTheRunningCallEnd() throws Exception {
        Files.createFile(home.resolve("wait"));
        Files.writeString(home.resolve("in"), call(1) + "\n");
        // The host keeps its side open.
        List<String> command = new ArrayList<>(List.of("sh", "-c", "{ cat in; exec sleep 120; } | \"$@\"", "sh"));
        command.addAll(guard());
        Started started = idems.start(Redirect.from(home.resolve("in").toFile()), command);
        Until.isTrue("the call", () -> effects().size() == 1);
        ProcessHandle guard = started.process
                .descendants()
                .filter(each -> each.info().command().orElse("").endsWith("java"))
                .findFirst()
                .orElseThrow();
        Idems.signal("TERM", guard.pid());
        Files.delete(home.resolve("wait"));
        guard.onExit().get(60, TimeUnit.SECONDS);

        Ran again =
                idems.start(Redirect.from(home.resolve("in").toFile()), guard()).end();
        assertThat(again.out()).contains("replayed", "done");
        assertThat(effects()).hasSize(1);
    }

    @Test
    void aSignalIsTheExitCode() throws Exception {
        Files.createFile(home.resolve("wait"));
        Process guard = idems.start(Redirect.PIPE, guard()).process;
        try (OutputStream in = guard.getOutputStream()) {
            in.write((call(1) + "\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
            Until.isTrue("the call", () -> effects().size() == 1);
            Idems.signal("TERM", guard.pid());
            Files.delete(home.resolve("wait"));

            assertThat(guard.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(guard.exitValue()).isEqualTo(143);
        }
    }

    @Test
    void theShadowTellsWhatItWouldHaveStopped() throws Exception {
        Path in = Files.writeString(home.resolve("in"), call(1) + "\n" + call(2) + "\n");

        Ran ran = idems.start(Redirect.from(in.toFile()), guard("--shadow")).end();

        assertThat(effects()).hasSize(2);
        assertThat(ran.err()).contains("idem: 1 of 2 calls would have been stopped");
    }

    @Test
    void aServerOverHttpIsGuardedUntilASignal() throws Exception {
        AtomicInteger paid = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/mcp", exchange -> {
            try (exchange) {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                Matcher id = Pattern.compile("\"id\":(\"[^\"]*\"|[0-9]+)").matcher(body);
                paid.addAndGet(id.find() ? 1 : 0);
                byte[] answer = ("{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",\"result\":{\"content\":[]}}")
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        try {
            String upstream = "http://127.0.0.1:" + server.getAddress().getPort() + "/mcp";
            Started started = idems.start("mcp", "--name", "mail", "--upstream", upstream);
            Pattern place = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+/mcp");
            Until.isTrue(
                    "the guard listens", () -> place.matcher(started.stderr()).find());
            Matcher url = place.matcher(started.stderr());
            assertThat(url.find()).isTrue();

            assertThat(post(url.group(), call(1))).doesNotContain("replayed");
            assertThat(post(url.group(), call(2))).contains("replayed");
            Idems.signal("TERM", started.process.pid());

            assertThat(started.end().exit()).isEqualTo(143);
            assertThat(paid).hasValue(1);
        } finally {
            server.stop(0);
        }
    }

    /** The server of the JDK has none of these limits by itself. */
    @Test
    void requestsAndConnectionsOverHttpAreLimited() throws Exception {
        idems.with("JAVA_TOOL_OPTIONS", "-Dsun.net.httpserver.maxReqTime=1");
        Started started = idems.start("mcp", "--name", "mail", "--upstream", "http://127.0.0.1:1/mcp");
        Pattern place = Pattern.compile("http://127\\.0\\.0\\.1:([0-9]+)/mcp");
        Until.isTrue("the guard listens", () -> place.matcher(started.stderr()).find());
        Matcher url = place.matcher(started.stderr());
        assertThat(url.find()).isTrue();
        int port = Integer.parseInt(url.group(1));
        String request = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";

        assertThat(answer(port, request + "\r\n")).startsWith("HTTP/1.1 502");
        assertThat(answer(port, "GET /mcp HTTP/1.1\r\nHost: loc"))
                .as("half a request")
                .isEmpty();
        assertThat(answer(port, request + "X-Long: " + "x".repeat(70_000) + "\r\n\r\n"))
                .as("long headers")
                .doesNotContain("HTTP/1.1 502");
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 1000; i++) {
                open.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            assertThat(answer(port, request + "\r\n"))
                    .as("one connection too many")
                    .isEmpty();
        } finally {
            for (Socket each : open) {
                each.close();
            }
        }
        Idems.signal("TERM", started.process.pid());
        started.end();
    }

    /** All that the guard sends until it closes the connection. */
    private static String answer(int port, String request) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            for (int next = socket.getInputStream().read();
                    next >= 0;
                    next = socket.getInputStream().read()) {
                answer.append((char) next);
            }
        } catch (SocketException reset) {
            // It was closed before the request was read.
            return answer.toString();
        }
        return answer.toString();
    }

    private static String post(String url, String body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
