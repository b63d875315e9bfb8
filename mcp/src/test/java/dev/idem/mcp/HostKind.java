package dev.idem.mcp;

import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import dev.langchain4j.mcp.client.transport.stdio.StdioMcpTransport;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The clients that hosts are made with. */
enum HostKind {
    TYPESCRIPT_1,
    TYPESCRIPT_2,
    JAVA_SDK,
    LANGCHAIN4J;

    /** A host that starts a server by its command, and has this folder as its root. */
    ClientHost starting(NodePackages packages, List<String> server, Path root) throws IOException {
        return switch (this) {
            case TYPESCRIPT_1 -> new NodeHost(with(packages.script("typescript-1.mjs"), uri(root)), server);
            case TYPESCRIPT_2 -> new NodeHost(with(packages.script("typescript-2.mjs"), uri(root), "auto"), server);
            case JAVA_SDK -> JavaSdkHost.ofCommand(server, uri(root));
            case LANGCHAIN4J ->
                new LangChain4jHost(StdioMcpTransport.builder().command(server).build(), uri(root));
        };
    }

    /** A host of a server over HTTP, with this folder as its root. */
    ClientHost connecting(NodePackages packages, URI server, Path root) throws IOException {
        List<String> url = List.of(server.toString());
        return switch (this) {
            case TYPESCRIPT_1 -> new NodeHost(with(packages.script("typescript-1.mjs"), uri(root)), url);
            case TYPESCRIPT_2 -> new NodeHost(with(packages.script("typescript-2.mjs"), uri(root), "legacy"), url);
            case JAVA_SDK ->
                new JavaSdkHost(
                        HttpClientStreamableHttpTransport.builder(
                                        server.resolve("/").toString())
                                .endpoint(server.getPath())
                                .build(),
                        uri(root));
            case LANGCHAIN4J ->
                new LangChain4jHost(
                        StreamableHttpMcpTransport.builder()
                                .url(server.toString())
                                .build(),
                        uri(root));
        };
    }

    /** Whether the client can answer a server that wants a text of a model, or an input of a person. */
    boolean answersServers() {
        return this != LANGCHAIN4J;
    }

    private static String uri(Path folder) {
        return folder.toUri().toString();
    }

    static List<String> with(List<String> command, String... more) {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(more));
        return all;
    }
}
