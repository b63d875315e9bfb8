package dev.idem.mcp;

import dev.idem.Json;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpCallContext;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.McpClientListener;
import dev.langchain4j.mcp.client.McpRoot;
import dev.langchain4j.mcp.client.transport.McpTransport;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** A host with the client of LangChain4j. */
final class LangChain4jHost implements ClientHost {
    private final McpClient client;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicReference<Map<String, Object>> raw = new AtomicReference<>();

    LangChain4jHost(McpTransport transport, String root) {
        client = DefaultMcpClient.builder()
                .autoHealthCheck(false)
                .toolExecutionTimeout(Duration.ofSeconds(60))
                .initializationTimeout(Duration.ofSeconds(60))
                .roots(List.of(new McpRoot("root", root)))
                .progressHandler(progress -> heard.add("notifications/progress"))
                .logHandler(message -> heard.add("notifications/message"))
                .addListener(new McpClientListener() {
                    @Override
                    public void afterExecuteTool(
                            McpCallContext context, ToolExecutionResult result, Map<String, Object> response) {
                        raw.set(response);
                    }
                })
                .transport(transport)
                .build();
    }

    @Override
    public List<String> tools() {
        return client.listTools().stream().map(ToolSpecification::name).toList();
    }

    @Override
    public Map<?, ?> call(String tool, Map<String, Object> arguments) {
        client.executeTool(ToolExecutionRequest.builder()
                .name(tool)
                .arguments(Json.write(arguments))
                .build());
        Map<String, Object> response = raw.get();
        return response.get("result") instanceof Map<?, ?> result ? result : response;
    }

    @Override
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // the client declares every exception
    public void close() throws IOException {
        try {
            client.close();
        } catch (Exception e) {
            throw new IOException(e);
        }
    }
}
