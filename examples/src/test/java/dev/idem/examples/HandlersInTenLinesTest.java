package dev.idem.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.Constructor;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The handlers of docs/http.md, taken from the page and run in their servers. The tests of the starter run the one for
 * Spring MVC, test_documents_page.py the one for FastAPI.
 */
class HandlersInTenLinesTest {
    private final List<CodeBlock> blocks = CodeBlock.of(Pages.root().resolve("docs/http.md"));

    @TempDir
    Path folder;

    private Snippets snippets;

    @BeforeEach
    void compile() {
        snippets = Snippets.compile(blocks.stream().filter(CodeBlock::isJava).toList(), folder);
    }

    private CodeBlock block(String part) {
        return blocks.stream()
                .filter(block -> String.join("\n", block.code()).contains(part))
                .findFirst()
                .orElseThrow();
    }

    private Object create(String type, Object... arguments) throws Exception {
        Constructor<?> constructor = snippets.type(block(type)).getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        return constructor.newInstance(arguments);
    }

    private static void assertRunsOnce(int port) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/agent/run"))
                .header("Idempotency-Key", "\"req-001\"")
                .POST(BodyPublishers.ofString("{\"order\":\"茶\"}"))
                .build();
        HttpClient client = HttpClient.newHttpClient();

        HttpResponse<String> first = client.send(request, BodyHandlers.ofString());
        HttpResponse<String> second = client.send(request, BodyHandlers.ofString());

        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).contains("\"status\":\"complete\"").contains("run 1 of {order=茶}");
        assertThat(first.headers().firstValue("Idempotent-Replayed")).isEmpty();
        assertThat(second.statusCode()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
    }

    @Test
    void theServletRunsOnce() throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context context = tomcat.addContext("", folder.toString());
        context.addServletContainerInitializer(
                (types, servlets) -> {
                    Filter authentication = (request, response, chain) ->
                            chain.doFilter(new Caller((HttpServletRequest) request), response);
                    servlets.addFilter("authentication", authentication).addMappingForUrlPatterns(null, true, "/*");
                },
                Set.of());
        context.addServletContainerInitializer((ServletContainerInitializer) create("class Once"), Set.of());
        Tomcat.addServlet(context, "agent", (Servlet) create("class AgentServlet"));
        context.addServletMappingDecoded("/agent/run", "agent");
        tomcat.start();
        try {
            assertRunsOnce(tomcat.getConnector().getLocalPort());
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }

    private static final class Caller extends HttpServletRequestWrapper {
        Caller(HttpServletRequest request) {
            super(request);
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> "ann";
        }
    }

    @Test
    void theHandlerOfTheJdksServerRunsOnce() throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            HttpGuard guard = new HttpGuard(idem, HttpRules.ietf().principalRequired(false));
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            server.createContext(
                    "/agent/run", (HttpHandler) create("record AgentHandler(", guard, create("class Agent {")));
            server.start();
            try {
                assertRunsOnce(server.getAddress().getPort());
            } finally {
                server.stop(0);
            }
        }
    }

    /** The client got no answer at all, since this server closes the connection of a handler that throws. */
    @Test
    void theHandlerOfTheJdksServerAnswersWhatItCanNotRead() throws Exception {
        try (Idem idem = Idem.builder().ledger("memory:").quiet().open()) {
            HttpGuard guard = new HttpGuard(idem, HttpRules.ietf().principalRequired(false));
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            Object agent = create("class Agent {");
            server.createContext("/", (HttpHandler) create("record AgentHandler(", guard, agent));
            // An agent that throws.
            server.createContext("/none", (HttpHandler) create("record AgentHandler(", guard, null));
            server.start();
            try {
                int port = server.getAddress().getPort();
                assertThat(post(port, "/agent", "k-1", "{\"order\":").statusCode())
                        .isEqualTo(400);
                assertThat(post(port, "/agent", "k-2", "{\"order\":1}").statusCode())
                        .isEqualTo(200);
                assertThat(post(port, "/none", "k-1", "{}").statusCode()).isEqualTo(500);
                assertThat(post(port, "/none", "k-1", "{}").body()).contains("in-doubt");
            } finally {
                server.stop(0);
            }
        }
    }

    private static HttpResponse<String> post(int port, String path, String key, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @Test
    void eachHasTenLines() {
        for (String name : List.of("@RestController", "class AgentServlet", "record AgentHandler", "@app.post")) {
            assertThat(block(name).code().stream()
                            .filter(line ->
                                    !line.isBlank() && !line.matches("(import|from) .*|[ })]+|(app|store) = .*")))
                    .as(name)
                    .hasSizeLessThanOrEqualTo(10);
        }
    }
}
