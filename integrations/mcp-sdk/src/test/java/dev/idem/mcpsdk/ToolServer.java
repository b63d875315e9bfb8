package dev.idem.mcpsdk;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpTransportContextExtractor;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import jakarta.servlet.http.HttpServletRequest;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A server of the SDK with one tool, and clients of the SDK that call it over HTTP. */
final class ToolServer implements AutoCloseable {
    /** The kinds of specifications. */
    enum Kind {
        SYNC,
        ASYNC,
        STATELESS_SYNC,
        STATELESS_ASYNC
    }

    /** The code of the tool. */
    interface Work {
        CallToolResult run(CallToolRequest request) throws Exception;
    }

    private static final ServerCapabilities TOOLS =
            ServerCapabilities.builder().tools(false).build();
    private static final McpTransportContextExtractor<HttpServletRequest> USER = request -> McpTransportContext.create(
            request.getHeader("user") == null ? Map.of() : Map.of("user", request.getHeader("user")));

    private final TestTomcat tomcat;
    private final String tool;
    private final String path;
    private final Runnable stop;
    private final List<McpAsyncClient> clients = new ArrayList<>();

    private ToolServer(TestTomcat tomcat, String tool, String path, Runnable stop) {
        this.tomcat = tomcat;
        this.tool = tool;
        this.path = path;
        this.stop = stop;
    }

    /**
     * @param guard null for the bare tool
     */
    static ToolServer start(TestTomcat tomcat, Kind kind, @Nullable IdemMcp guard, Tool tool, Work work) {
        if (kind == Kind.SYNC || kind == Kind.ASYNC) {
            HttpServletStreamableServerTransportProvider transport =
                    HttpServletStreamableServerTransportProvider.builder()
                            .mcpEndpoint("/mcp")
                            .contextExtractor(USER)
                            .build();
            Runnable stop =
                    kind == Kind.SYNC ? sync(transport, guard, tool, work) : async(transport, guard, tool, work);
            return new ToolServer(tomcat, tool.name(), tomcat.add(transport), stop);
        }
        HttpServletStatelessServerTransport transport = HttpServletStatelessServerTransport.builder()
                .messageEndpoint("/mcp")
                .contextExtractor(USER)
                .build();
        Runnable stop = kind == Kind.STATELESS_SYNC
                ? statelessSync(transport, guard, tool, work)
                : statelessAsync(transport, guard, tool, work);
        return new ToolServer(tomcat, tool.name(), tomcat.add(transport), stop);
    }

    private static Runnable sync(
            HttpServletStreamableServerTransportProvider transport, @Nullable IdemMcp guard, Tool tool, Work work) {
        var bare = new McpServerFeatures.SyncToolSpecification(
                tool, (exchange, request) -> unchecked(() -> work.run(request)));
        return McpServer.sync(transport)
                .capabilities(TOOLS)
                .tools(guard == null ? bare : guard.guard(bare))
                .build()::close;
    }

    private static Runnable async(
            HttpServletStreamableServerTransportProvider transport, @Nullable IdemMcp guard, Tool tool, Work work) {
        var bare = new McpServerFeatures.AsyncToolSpecification(tool, (exchange, request) -> mono(work, request));
        return McpServer.async(transport)
                .capabilities(TOOLS)
                .tools(guard == null ? bare : guard.guard(bare))
                .build()::close;
    }

    private static Runnable statelessSync(
            HttpServletStatelessServerTransport transport, @Nullable IdemMcp guard, Tool tool, Work work) {
        var bare = new McpStatelessServerFeatures.SyncToolSpecification(
                tool, (context, request) -> unchecked(() -> work.run(request)));
        return McpServer.sync(transport)
                .capabilities(TOOLS)
                .tools(guard == null ? bare : guard.guard(bare))
                .build()::close;
    }

    private static Runnable statelessAsync(
            HttpServletStatelessServerTransport transport, @Nullable IdemMcp guard, Tool tool, Work work) {
        var bare =
                new McpStatelessServerFeatures.AsyncToolSpecification(tool, (context, request) -> mono(work, request));
        return McpServer.async(transport)
                .capabilities(TOOLS)
                .tools(guard == null ? bare : guard.guard(bare))
                .build()::close;
    }

    static Mono<CallToolResult> mono(Work work, CallToolRequest request) {
        return Mono.fromCallable(() -> work.run(request)).subscribeOn(Schedulers.boundedElastic());
    }

    private static <T> T unchecked(Callable<T> code) {
        try {
            return code.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** A client that has just connected, as a host that starts again. */
    McpAsyncClient client(String user, Duration patience) {
        McpAsyncClient client = McpClient.async(HttpClientStreamableHttpTransport.builder(tomcat.address())
                        .endpoint(path)
                        .openConnectionOnStartup(false)
                        .requestBuilder(HttpRequest.newBuilder().header("user", user))
                        .build())
                .requestTimeout(patience)
                .build();
        clients.add(client);
        client.initialize().block();
        return client;
    }

    McpAsyncClient client() {
        return client("ann", Duration.ofSeconds(60));
    }

    CallToolRequest request(Map<String, Object> arguments, Map<String, Object> meta) {
        return new CallToolRequest(tool, arguments, meta);
    }

    /** Calls the tool as a host that has just connected. */
    CallToolResult call(Map<String, Object> arguments, Map<String, Object> meta) {
        return client().callTool(request(arguments, meta)).block();
    }

    CallToolResult call(Map<String, Object> arguments) {
        return call(arguments, Map.of());
    }

    @Override
    public void close() {
        clients.forEach(client -> client.closeGracefully().block());
        stop.run();
    }
}
