package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.mcp.stdio.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A host that runs in node, with the TypeScript SDK. */
final class NodeHost implements ClientHost {
    private static final long SECONDS = 60;

    private final Process process;
    private final Lines answers;

    /** Starts a script, and lets it connect to a server. */
    NodeHost(List<String> script, List<String> server) throws IOException {
        List<String> command = new ArrayList<>(script);
        command.addAll(server);
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        answers = new Lines(process.getInputStream(), 100_000_000);
    }

    @Override
    public List<String> tools() throws IOException {
        return ((List<?>) ask("tools", Map.of()))
                .stream()
                        .map(tool -> String.valueOf(((Map<?, ?>) tool).get("name")))
                        .toList();
    }

    @Override
    public Map<?, ?> call(String tool, Map<String, Object> arguments) throws IOException {
        return call(tool, arguments, Map.of());
    }

    /** Calls a tool with {@code _meta}. */
    Map<?, ?> call(String tool, Map<String, Object> arguments, Map<String, Object> meta) throws IOException {
        return (Map<?, ?>) ask("call", Map.of("name", tool, "arguments", arguments, "meta", meta));
    }

    @Override
    public List<String> heard() throws IOException {
        List<String> methods = new ArrayList<>();
        ((List<?>) ask("progress", Map.of())).forEach(each -> methods.add("notifications/progress"));
        ((List<?>) ask("heard", Map.of()))
                .forEach(each -> methods.add(String.valueOf(((Map<?, ?>) each).get("method"))));
        return methods;
    }

    /** Lets the script do something. */
    Object ask(String deed, Map<String, Object> with) throws IOException {
        Map<String, Object> line = new LinkedHashMap<>(with);
        line.put("do", deed);
        process.getOutputStream().write((Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        byte[] answer = CompletableFuture.supplyAsync(this::nextLine)
                .orTimeout(SECONDS, TimeUnit.SECONDS)
                .join();
        Map<?, ?> members = (Map<?, ?>) Json.parse(answer);
        if (members.containsKey("error")) {
            throw new IOException(Json.write(members.get("error")));
        }
        return members.get("value");
    }

    private byte[] nextLine() {
        try {
            byte[] line = answers.next();
            if (line == null) {
                throw new IllegalStateException("the host has ended");
            }
            return line;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Lets the client close its connection, and ends the host. */
    @Override
    public void close() throws IOException {
        try {
            ask("close", Map.of());
            process.getOutputStream().close();
            process.waitFor(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
