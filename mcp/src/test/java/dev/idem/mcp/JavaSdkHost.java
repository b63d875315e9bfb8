package dev.idem.mcp;

import dev.idem.Json;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A host with the client of the Java SDK. */
final class JavaSdkHost implements ClientHost {
    private final McpSyncClient client;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    JavaSdkHost(McpClientTransport transport, String root) {
        client = McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(60))
                .initializationTimeout(Duration.ofSeconds(60))
                .capabilities(McpSchema.ClientCapabilities.builder()
                        .sampling()
                        .elicitation()
                        .roots(true)
                        .build())
                .roots(new McpSchema.Root(root, "root"))
                .sampling(request -> McpSchema.CreateMessageResult.builder(
                                McpSchema.Role.ASSISTANT, "sampled by the host", "host-model")
                        .build())
                .elicitation(request ->
                        new McpSchema.ElicitResult(McpSchema.ElicitResult.Action.ACCEPT, Map.of("name", "Ann")))
                .progressConsumer(progress -> heard.add("notifications/progress"))
                .loggingConsumer(message -> heard.add("notifications/message"))
                .build();
        client.initialize();
    }

    /** A host that starts the server by a command. */
    static JavaSdkHost ofCommand(List<String> command, String root) {
        ServerParameters parameters = ServerParameters.builder(command.get(0))
                .args(command.subList(1, command.size()))
                .build();
        return new JavaSdkHost(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()), root);
    }

    @Override
    public List<String> tools() {
        return client.listTools().tools().stream().map(McpSchema.Tool::name).toList();
    }

    @Override
    public Map<?, ?> call(String tool, Map<String, Object> arguments) throws IOException {
        McpSchema.CallToolRequest request = McpSchema.CallToolRequest.builder(tool)
                .arguments(arguments)
                .progressToken("of the host")
                .build();
        McpSchema.CallToolResult result = client.callTool(request);
        return (Map<?, ?>) Json.parse(McpJsonDefaults.getMapper().writeValueAsString(result));
    }

    @Override
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void close() {
        client.closeGracefully();
    }
}
