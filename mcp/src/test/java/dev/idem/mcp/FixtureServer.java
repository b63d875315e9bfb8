package dev.idem.mcp;

import dev.idem.Json;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.stdio.Lines;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A small MCP server whose tools write one line for each effect. Its faults happen once: after the effect, or when a
 * conversation is opened for the second time. The arguments of {@link #main} are a folder and a fault.
 */
public final class FixtureServer {
    /** Tools that do not hold up the calls after them. */
    private static final Set<String> ASIDE = Set.of("slow", "point", "probed", "act-and-ask");

    /** Points at which the server reads no further call. */
    private static final Set<String> BLOCKING = Set.of("in-the-answer", "before-the-end-of-its-line");

    private static Path folder = Path.of("");
    private static String fault = "";

    private FixtureServer() {}

    public static void main(String[] args) throws Exception {
        folder = Path.of(args[0]);
        fault = args.length > 1 ? args[1] : "";
        Lines lines = new Lines(System.in, 100_000_000);
        ExecutorService workers = Executors.newCachedThreadPool();
        for (byte[] line = lines.next(); line != null; line = lines.next()) {
            Message message = Message.ofServer(line);
            append("received", new String(line, StandardCharsets.UTF_8));
            if (message == null || !message.isRequest()) {
                continue;
            } else if (message.is("tools/call") && isAside(message)) {
                workers.execute(() -> handle(message));
            } else {
                handle(message);
            }
        }
        // A server that has lost its host ends what it began.
        workers.shutdown();
        workers.awaitTermination(1, TimeUnit.MINUTES);
        System.exit(0);
    }

    private static boolean isAside(Message call) {
        return ASIDE.contains(call.param("name"))
                && !(call.param("arguments") instanceof Map<?, ?> arguments && BLOCKING.contains(arguments.get("to")));
    }

    private static void handle(Message message) {
        try {
            switch (String.valueOf(message.members().get("method"))) {
                case "initialize" -> {
                    if (fault.equals("opening") && openings() == 2) {
                        append("reached", "server opening");
                        awaitGo(folder);
                    }
                    say(result(
                            message,
                            Map.of(
                                    "protocolVersion", "2025-11-25",
                                    "capabilities", Map.of("tools", Map.of()),
                                    "serverInfo", Map.of("name", "fixture", "version", "1"))));
                }
                case "tools/list" ->
                    say(result(
                            message,
                            Map.of(
                                    "tools",
                                    List.of(
                                            tool("pay", Map.of()),
                                            tool("slow", Map.of()),
                                            tool("find", Map.of("readOnlyHint", true)),
                                            tool("set", Map.of("idempotentHint", true, "destructiveHint", true)),
                                            tool("misfit", Map.of()),
                                            tool("pass", Map.of()),
                                            Map.of(
                                                    "name", "misgive",
                                                    "inputSchema", Map.of("type", "object"),
                                                    "outputSchema", Map.of("type", "object"))))));
                case "tools/call" -> call(message);
                default -> say(result(message, Map.of()));
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> tool(String name, Map<String, Object> hints) {
        Map<String, Object> arguments = Map.of("to", Map.of("type", "string"), "order", Map.of("type", "string"));
        Map<String, Object> schema = Map.of("type", "object", "properties", arguments);
        return Map.of("name", name, "inputSchema", schema, "annotations", hints);
    }

    private static void call(Message message) throws IOException, InterruptedException {
        String name = String.valueOf(message.param("name"));
        Map<?, ?> arguments = (Map<?, ?>) message.param("arguments");
        switch (name) {
            case "find" -> {
                if ("in-the-probe".equals(arguments.get("to"))) {
                    append("reached", "find in-the-probe");
                    awaitGo(folder);
                }
                String all = Files.exists(folder.resolve("effects")) ? Files.readString(folder.resolve("effects")) : "";
                boolean there = all.contains(" " + arguments.get("to") + "\n");
                say(result(
                        message,
                        Map.of("content", List.of(), "structuredContent", there ? Map.of("found", "yes") : Map.of())));
            }
            case "refuse" ->
                say("{\"jsonrpc\":\"2.0\",\"id\":" + message.id()
                        + ",\"error\":{\"code\":-32602,\"message\":\"no such tool\"}}");
            case "misgive" -> {
                // As a server does that checks the result of its tool.
                append("effects", "misgive " + arguments.get("to"));
                say("{\"jsonrpc\":\"2.0\",\"id\":" + message.id()
                        + ",\"error\":{\"code\":-32602,\"message\":\"no such result\"}}");
            }
            case "pass" -> {
                // As a tool does that acts, calls a tool of another server, and passes on its error.
                append("effects", "pass " + arguments.get("to"));
                String said = String.valueOf(arguments.get("order"));
                say(
                        said.startsWith("-")
                                ? "{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"error\":{\"code\":" + said
                                        + ",\"message\":\"sign in first\"}}"
                                : failed(message, said));
            }
            case "news" -> {
                say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
                say(paid(message, "news"));
            }
            case "fail" -> {
                append("effects", "fail " + arguments.get("to"));
                say(failed(message, "it broke"));
            }
            case "set" -> {
                append("effects", "set " + arguments.get("to"));
                say(paid(message, "set"));
            }
            case "empty" -> {
                append("effects", "empty " + arguments.get("to"));
                say("{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + "}");
            }
            case "big" ->
                say(result(
                        message, Map.of("content", List.of(Map.of("type", "text", "text", "x".repeat(20_000_000))))));
            case "garble" -> {
                append("effects", "garble " + arguments.get("to"));
                say("{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"result\":{\"x\":\"\\ud83d\"}}");
            }
            case "ask" -> {
                if (message.param("inputResponses") == null) {
                    say(result(message, Map.of("resultType", "input_required", "requestState", "s" + message.id())));
                } else {
                    append("effects", "ask " + arguments.get("to"));
                    say(paid(message, "ask"));
                }
            }
            case "act-and-ask" -> actAndAsk(message, String.valueOf(arguments.get("to")));
            case "slow" -> {
                append("effects", "slow " + arguments.get("to"));
                awaitGo(folder);
                say(paid(message, "slow"));
            }
            case "misfit" -> say(failed(message, "MCP error -32602: Input validation error: to"));
            case "task" -> {
                append("effects", "task " + arguments.get("to"));
                say(result(message, Map.of("resultType", "task", "taskId", "t-" + System.nanoTime(), "ttlMs", 1)));
            }
            case "point", "probed" -> point(message, String.valueOf(arguments.get("to")));
            default -> pay(message, arguments);
        }
    }

    /**
     * Acts in every round, and asks until it gets the input "yes". Its argument may say that it gives no state, that its
     * state is always the same, or that it waits in the second round.
     */
    private static void actAndAsk(Message message, String to) throws IOException, InterruptedException {
        Object brought = message.param("requestState");
        String input = String.valueOf(message.param("inputResponses"));
        String id = String.valueOf(message.id());
        append("effects", "asked " + brought + " " + input);
        if (to.startsWith("waits") && input.contains("again")) {
            awaitGo(folder);
        }
        if (input.contains("die")) {
            Runtime.getRuntime().halt(3);
        } else if (input.contains("fail")) {
            say(failed(message, "nothing was done"));
        } else if (input.contains("yes")) {
            say(paid(message, "act-and-ask"));
        } else {
            Map<String, Object> asking = new LinkedHashMap<>();
            asking.put("resultType", "input_required");
            asking.put("inputRequests", Map.of("sure", Map.of("method", "elicitation/create")));
            if (!to.startsWith("no-state")) {
                asking.put("requestState", to.startsWith("same-state") ? "s" : "s" + id.substring(1, id.length() - 1));
            }
            say(result(message, asking));
        }
    }

    /** Stops at the point that the call names. */
    private static void point(Message message, String point) throws IOException, InterruptedException {
        append("reached", "server " + point);
        if (point.equals("before-the-effect")) {
            awaitGo(folder);
        }
        append("effects", "point " + point);
        append("reached", "effect " + point);
        switch (point) {
            case "after-the-effect", "with-a-duplicate", "after-a-cancel", "in-the-probe" -> awaitGo(folder);
            case "in-the-answer", "before-the-end-of-its-line" -> {
                String answer = paid(message, "point");
                int written = point.equals("in-the-answer") ? 20 : answer.length();
                write(answer.substring(0, written));
                append("reached", "part " + point);
                awaitGo(folder);
                write(answer.substring(written) + "\n");
                return;
            }
            default -> {
                // The guard stops there, or nothing does.
            }
        }
        say(paid(message, "point"));
    }

    private static void pay(Message message, Map<?, ?> arguments) throws IOException, InterruptedException {
        append("effects", "pay " + arguments.get("to"));
        Path struck = folder.resolve("struck");
        if (!fault.isEmpty() && !Files.exists(struck)) {
            Files.createFile(struck);
            switch (fault) {
                case "die" -> Runtime.getRuntime().halt(3);
                case "cut" -> {
                    write(paid(message, "pay").substring(0, 20));
                    Runtime.getRuntime().halt(3);
                }
                case "twice" -> say(paid(message, "pay"));
                case "late" -> awaitGo(folder);
                default -> throw new IllegalStateException(fault);
            }
        }
        say(paid(message, "pay"));
    }

    /** Waits until the test lets it go. It does not outlive the folder of a test that has failed. */
    static void awaitGo(Path folder) throws InterruptedException {
        while (!Files.exists(folder.resolve("go"))) {
            if (!Files.exists(folder)) {
                Runtime.getRuntime().halt(4);
            }
            Thread.sleep(5);
        }
    }

    /** How often a conversation was opened, with this server or one before it. */
    private static long openings() throws IOException {
        return Files.readAllLines(folder.resolve("received")).stream()
                .filter(line -> line.contains("\"initialize\""))
                .count();
    }

    private static String paid(Message message, String what) {
        return result(
                message,
                Map.of("content", List.of(Map.of("type", "text", "text", what + " done by request " + message.id()))));
    }

    private static String failed(Message message, String text) {
        return result(message, Map.of("content", List.of(Map.of("type", "text", "text", text)), "isError", true));
    }

    private static String result(Message message, Map<String, Object> result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + message.id() + ",\"result\":" + Json.write(result) + "}";
    }

    private static void say(String line) throws IOException {
        write(line + "\n");
    }

    private static synchronized void write(String text) throws IOException {
        OutputStream out = System.out;
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static synchronized void append(String file, String line) throws IOException {
        Files.writeString(folder.resolve(file), line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
