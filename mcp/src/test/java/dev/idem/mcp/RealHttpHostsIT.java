package dev.idem.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.testkit.Thorough;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Hosts made with other people's clients call a server over HTTP, with a guard in front of it. */
class RealHttpHostsIT {
    private static final Map<String, Object> LINE = Map.of("line", "one");

    @TempDir
    Path folder;

    private NodePackages packages;
    private NodeServer server;
    private Idem idem;
    private HttpProxy proxy;
    private URI guard;

    @BeforeEach
    void start() throws IOException {
        packages = NodePackages.orSkip();
        server = NodeServer.fixture(packages, folder.resolve("effects"));
        idem = Idem.builder().ledger("memory:").quiet().open();
        proxy = new HttpProxy(idem, McpOptions.of("fixture"), server.url());
        guard = proxy.start("127.0.0.1", 0);
    }

    @AfterEach
    void end() throws IOException {
        if (server != null) {
            proxy.close();
            idem.close();
            server.close();
        }
    }

    private List<String> effects() throws IOException {
        return Files.readAllLines(folder.resolve("effects"));
    }

    @Test
    @Tag("proof")
    void withoutTheGuardACallIsMadeTwice() throws Exception {
        try (ClientHost host = HostKind.JAVA_SDK.connecting(packages, server.url(), folder)) {
            host.call("append", LINE);
            host.call("append", LINE);
        }
        assertThat(effects()).containsExactly("one", "one");
    }

    static Stream<HostKind> kinds() {
        return Thorough.first(2, HostKind.TYPESCRIPT_2, HostKind.JAVA_SDK, HostKind.TYPESCRIPT_1, HostKind.LANGCHAIN4J);
    }

    static Stream<HostKind> kindsThatDoNotPoll() {
        return Thorough.first(1, HostKind.TYPESCRIPT_2, HostKind.JAVA_SDK, HostKind.TYPESCRIPT_1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aCallIsMadeOnceAndTheHostIsAsked(HostKind kind) throws Exception {
        try (ClientHost host = kind.connecting(packages, guard, folder)) {
            assertThat(host.tools()).contains("append", "test_sampling");
            Map<?, ?> first = host.call("append", LINE);
            Map<?, ?> second = host.call("append", LINE);

            assertThat(ClientHost.text(first)).isEqualTo("appended one");
            assertThat(ClientHost.status(first)).isEmpty();
            assertThat(ClientHost.text(second))
                    .startsWith(ClientHost.text(first))
                    .contains("Nothing was run now");
            assertThat(ClientHost.status(second)).isEqualTo("replayed");

            if (kind.answersServers()) {
                assertThat(ClientHost.text(host.call("test_sampling", Map.of("prompt", "hello"))))
                        .isEqualTo("LLM response: sampled by the host");
                assertThat(ClientHost.text(host.call("test_elicitation", Map.of("message", "who?"))))
                        .startsWith("action=accept");
            }
            host.call("test_tool_with_progress", Map.of());
            host.call("test_tool_with_logging", Map.of());
            await(host, "notifications/progress");
            await(host, "notifications/message");
        }
        assertThat(effects()).containsExactly("one");
    }

    @Test
    void aHostWithoutSessionsIsAskedForInput() throws Exception {
        List<String> script = HostKind.with(
                packages.script("typescript-2.mjs"), folder.toUri().toString(), "2026-07-28");
        try (NodeHost host = new NodeHost(script, List.of(guard.toString()))) {
            Map<?, ?> first = host.call("append_if_confirmed", LINE);
            Map<?, ?> second = host.call("append_if_confirmed", LINE);

            assertThat(ClientHost.text(first)).isEqualTo("appended one after a question");
            assertThat(ClientHost.status(second)).isEqualTo("replayed");
        }
        assertThat(effects()).containsExactly("one");
    }

    /** The server cuts its stream, so that the host polls. The client of the Java SDK never does. */
    @ParameterizedTest
    @MethodSource("kindsThatDoNotPoll")
    void aHostThatDoesNotPollGetsItsAnswer(HostKind kind) throws Exception {
        try (ClientHost host = kind.connecting(packages, guard, folder)) {
            assertThat(ClientHost.text(host.call("test_reconnection", Map.of())))
                    .isEqualTo("Reconnection test completed successfully.");
        }
    }

    @Test
    void theToolsOfAServerAreListedForTheirRules() throws Exception {
        ToolList list = ToolListing.of(server.url(), "1", Duration.ofSeconds(60));

        assertThat(list.server()).isEqualTo("fixture 1.0.0");
        assertThat(list.tools().stream().map(ToolList::name)).contains("append", "test_sampling");
    }

    /** The server allows one stream for a session. */
    @Test
    void aStreamThatItsHostHasLeftCanBeOpenedAgain() throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        HttpRequest.Builder request = HttpRequest.newBuilder(guard)
                .header("Accept", "application/json, text/event-stream")
                .header("Content-Type", "application/json");
        String initialize = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}";
        String session = client.send(
                        request.POST(BodyPublishers.ofString(initialize)).build(), BodyHandlers.ofString())
                .headers()
                .firstValue("mcp-session-id")
                .orElseThrow();
        request.header("Mcp-Session-Id", session).GET();
        for (int i = 0; i < 3; i++) {
            HttpResponse<InputStream> stream = client.send(request.build(), BodyHandlers.ofInputStream());
            assertThat(stream.statusCode()).isEqualTo(200);
            stream.body().close();
        }
    }

    /** Waits until the host has heard all three notifications of a call. */
    private static void await(ClientHost host, String method) {
        Eventually.isTrue(method + " three times", () -> Collections.frequency(host.heard(), method) >= 3);
    }
}
