package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.mcp.NoToolListException.Reason;
import dev.idem.mcp.guard.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpToolListingTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final List<String> received = new CopyOnWriteArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(workers);
        server.createContext("/", this::handle);
        server.start();
    }

    @AfterEach
    void stop() {
        over.countDown();
        server.stop(0);
        workers.shutdownNow();
    }

    private ToolList list(String way, Duration limit) throws Exception {
        URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + way);
        return ToolListing.of(url, "1", limit);
    }

    /** The last part of the path is the way in which it answers. */
    private void handle(HttpExchange http) throws IOException {
        try (http) {
            String way = http.getRequestURI().getPath().substring(1);
            byte[] body = http.getRequestBody().readAllBytes();
            var headers = http.getRequestHeaders();
            received.add(http.getRequestMethod() + " " + headers.getFirst("Mcp-Session-Id") + " "
                    + headers.getFirst("MCP-Protocol-Version") + " " + headers.getFirst("Mcp-Method") + " "
                    + new String(body, StandardCharsets.UTF_8));
            Message message = Message.ofServer(body);
            if (way.equals("silent")) {
                over.await();
            } else if (way.equals("login")) {
                send(http, 401, "application/json", "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1}}");
            } else if (way.equals("page")) {
                send(http, 200, "text/html", "<p>hello");
            } else if (way.equals("moved")) {
                http.getResponseHeaders().set("Location", "/other?key=secret");
                http.sendResponseHeaders(307, -1);
            } else if (message == null || !message.isRequest()) {
                http.sendResponseHeaders(202, -1);
            } else {
                answer(http, way, message);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void answer(HttpExchange http, String way, Message message) throws IOException {
        List<String> said = new ArrayList<>();
        new ListingServer(way, said::add).answer(message);
        if (message.is("initialize") && !way.equals("late")) {
            http.getResponseHeaders().set("Mcp-Session-Id", "s-1");
        }
        if (way.equals("asks")) {
            StringBuilder events = new StringBuilder("id: 1\ndata:\n\n");
            said.forEach(each -> events.append("data: ").append(each).append("\n\n"));
            send(http, 200, "text/event-stream", events.toString());
        } else {
            boolean refused = way.equals("late") && message.is("initialize");
            send(http, refused ? 400 : 200, "application/json", said.get(0));
        }
    }

    private static void send(HttpExchange http, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        http.getResponseHeaders().set("Content-Type", type);
        http.sendResponseHeaders(status, body.length);
        http.getResponseBody().write(body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"usual", "asks"})
    void allPagesAreReadInASessionThatIsEnded(String way) throws Exception {
        ToolList list = list(way, LONG);

        assertThat(list.tools().stream().map(ToolList::name)).containsExactly("find", "send", "drop", "put");
        assertThat(list.server()).isEqualTo("listing 1.2");
        assertThat(received).hasSize(6).noneMatch(each -> each.contains("tools/call"));
        assertThat(received.get(0)).startsWith("POST null null initialize ");
        assertThat(received.get(1)).startsWith("POST s-1 2025-06-18 notifications/initialized ");
        assertThat(received.get(4))
                .startsWith("POST s-1 2025-06-18 tools/list ")
                .contains("\"three\"");
        assertThat(received.get(5)).startsWith("DELETE s-1 2025-06-18 null");
    }

    @Test
    void aServerWithoutSessionsIsAskedAsItWants() throws Exception {
        assertThat(list("late", LONG).server()).isEqualTo("late 2");
        assertThat(received).hasSize(4);
        assertThat(received.get(1)).startsWith("POST null 2026-07-28 tools/list ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            login   | REFUSED | the server answered initialize with HTTP status 401
            moved   | REFUSED | the MCP server has moved to http://127.0.0.1:
            page    | NOT_MCP | the answer to initialize is no message of MCP
            refuses | REFUSED | the server refuses tools/list (no key in the [2Jenvironment)
            """)
    void aServerThatListsNothingIsAClearError(String way, Reason reason, String message) {
        NoToolListException thrown = catchThrowableOfType(NoToolListException.class, () -> list(way, LONG));
        assertThat(thrown).hasMessageContaining(message);
        assertThat(thrown.getMessage()).doesNotContain("secret");
        assertThat(thrown.reason()).isEqualTo(reason);
    }

    @Test
    void aSilentServerIsGivenUpAtTheTimeLimit() {
        NoToolListException thrown =
                catchThrowableOfType(NoToolListException.class, () -> list("silent", Duration.ofSeconds(1)));
        assertThat(thrown.reason()).isEqualTo(Reason.NO_ANSWER);
        assertThat(thrown).hasMessage("the server did not answer initialize within 1 s");
    }

    @Test
    void aServerThatIsNotThereIsToldAtOnce() {
        server.stop(0);
        NoToolListException thrown = catchThrowableOfType(NoToolListException.class, () -> list("usual", LONG));
        assertThat(thrown.reason()).isEqualTo(Reason.NOT_REACHED);
        assertThat(thrown).hasMessage("the server can't be reached: the connection was refused");
    }
}
