package dev.idem.mcpsdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lines that docs/mcp.md shows. */
@Tag("every-sdk")
class McpPageTest {
    private final AtomicInteger runs = new AtomicInteger();

    private static Tool tool(String name) {
        return Tool.builder(name, Map.of("type", "object")).build();
    }

    private CallToolResult sent() {
        return CallToolResult.builder()
                .addTextContent("sent " + runs.incrementAndGet())
                .build();
    }

    @Test
    void theLinesOfThePageGuardAServerOnStdio() throws Exception {
        SyncToolSpecification sendEmail = new SyncToolSpecification(tool("send_email"), (exchange, request) -> sent());
        SyncToolSpecification listFolders =
                new SyncToolSpecification(tool("list_folders"), (exchange, request) -> sent());
        try (Idem idem = Idem.open("memory:");
                PipedOutputStream host = new PipedOutputStream();
                PipedInputStream answers = new PipedInputStream();
                PipedInputStream in = new PipedInputStream(host);
                PipedOutputStream out = new PipedOutputStream(answers)) {
            StdioServerTransportProvider transport =
                    new StdioServerTransportProvider(McpJsonDefaults.getMapper(), in, out);

            IdemMcp guard = IdemMcp.oneUser(idem, "mail");
            McpSyncServer server = McpServer.sync(transport)
                    .serverInfo("mail", "1.0")
                    .capabilities(ServerCapabilities.builder().tools(false).build())
                    .tools(guard.guard(sendEmail), guard.guard(listFolders))
                    .build();

            BufferedReader lines = new BufferedReader(new InputStreamReader(answers, StandardCharsets.UTF_8));
            say(
                    host,
                    "\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\","
                            + "\"capabilities\":{},\"clientInfo\":{\"name\":\"host\",\"version\":\"1\"}}");
            assertThat(lines.readLine()).contains("\"id\":1");
            say(host, "\"method\":\"notifications/initialized\"");
            String call =
                    "\"method\":\"tools/call\",\"params\":{\"name\":\"send_email\",\"arguments\":{\"to\":\"ann\"}}";
            say(host, "\"id\":2," + call);
            assertThat(lines.readLine()).contains("sent 1").doesNotContain("replayed");
            say(host, "\"id\":3," + call);
            assertThat(lines.readLine()).contains("sent 1").contains("replayed");
            server.close();
        }
    }

    @Test
    void theLinesOfThePageGuardAServerOverHttp() {
        try (Idem idem = Idem.open("memory:")) {
            IdemMcp guard = IdemMcp.users(idem, "mail", context -> (String) context.get("user"))
                    .trustHints()
                    .with(
                            "send_email",
                            tool -> tool.identity("to", "subject")
                                    .policy(Policy.write()
                                            .retention(Duration.ofDays(30))
                                            .definiteOn(ToolReportedErrorException.class)));

            var handler = guard.guard(new McpStatelessServerFeatures.SyncToolSpecification(
                            tool("send_email"), (context, request) -> sent()))
                    .callHandler();
            McpTransportContext ann = McpTransportContext.create(Map.of("user", "ann"));
            for (String body : List.of("Hello", "Hi")) {
                Map<String, Object> arguments = Map.of("to", "bob", "body", body);
                assertThat(handler.apply(ann, new CallToolRequest("send_email", arguments, Map.of()))
                                .content())
                        .isEqualTo(List.of(TextContent.builder("sent 1").build()));
            }
        }
        assertThat(runs).hasValue(1);
    }

    @Test
    void everyOptionIsListed() throws Exception {
        String page = Files.readString(Path.of("../../docs/configuration.md"));
        List<String> listed = page.substring(page.indexOf("## An MCP server in Java"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(3, line.indexOf("`", 3)))
                .toList();
        List<String> options = Arrays.stream(IdemMcp.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getReturnType() == IdemMcp.class)
                .map(method -> Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", method.getName() + "(", ")")))
                .toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(options);
    }

    private static void say(PipedOutputStream to, String members) throws Exception {
        to.write(("{\"jsonrpc\":\"2.0\"," + members + "}\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
    }
}
