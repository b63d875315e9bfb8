package dev.idem.springai;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * An MCP server, a process of its own that speaks over stdio. Every effect is a line in a file. It runs with the SDK
 * that Spring AI brings, whichever that is.
 */
final class McpShop {
    private static final String SCHEMA = "{\"type\":\"object\",\"properties\":{\"customer\":{\"type\":\"string\"}}}";

    private final Path effects;

    private McpShop(Path effects) {
        this.effects = effects;
    }

    /** The command that starts it. */
    static List<String> command(Path effects) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                McpShop.class.getName(),
                effects.toString());
    }

    public static void main(String[] arguments) {
        McpShop shop = new McpShop(Path.of(arguments[0]));
        McpJsonMapper json = McpJsonDefaults.getMapper();
        McpServer.sync(new StdioServerTransportProvider(json))
                .serverInfo("shop", "1")
                .jsonMapper(json)
                .jsonSchemaValidator((schema, content) -> JsonSchemaValidator.ValidationResponse.asValid(null))
                .capabilities(ServerCapabilities.builder().tools(false).build())
                .toolCall(tool("charge", null), (exchange, call) -> told(shop.does("charge")))
                .toolCall(tool("lookup", hints(true, null, null)), (exchange, call) -> told(shop.does("lookup")))
                .toolCall(tool("set_limit", hints(false, false, true)), (exchange, call) -> told(shop.does("limit")))
                .toolCall(tool("close_account", hints(false, true, true)), (exchange, call) -> told(shop.does("close")))
                .toolCall(tool("stall", null), (exchange, call) -> shop.stalls())
                .toolCall(tool("die", null), (exchange, call) -> shop.dies())
                .toolCall(
                        tool("refuse", null),
                        (exchange, call) -> CallToolResult.builder()
                                .addTextContent("the card was declined, try " + shop.does("refuse"))
                                .isError(true)
                                .build())
                .toolCall(tool("break", null), (exchange, call) -> {
                    shop.does("break");
                    throw McpError.builder(-32603)
                            .message("it broke in the middle")
                            .build();
                })
                .build();
    }

    private static Tool tool(String name, ToolAnnotations hints) {
        return Tool.builder()
                .name(name)
                .inputSchema(McpJsonDefaults.getMapper(), SCHEMA)
                .description("Does it")
                .annotations(hints)
                .build();
    }

    private static ToolAnnotations hints(Boolean readOnly, Boolean destructive, Boolean idempotent) {
        return new ToolAnnotations(null, readOnly, destructive, idempotent, null, null);
    }

    private static CallToolResult told(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }

    private CallToolResult stalls() {
        does("stall");
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return told("never said");
    }

    private CallToolResult dies() {
        does("die");
        Runtime.getRuntime().halt(137);
        return told("never said");
    }

    private String does(String what) {
        try {
            Files.writeString(effects, what + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            return what + " " + Map.of("effects", Files.readAllLines(effects).size());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
