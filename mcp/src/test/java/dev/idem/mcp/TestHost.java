package dev.idem.mcp;

import dev.idem.Idem;
import dev.idem.Json;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.stdio.Lines;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A host, a proxy in this process, and the fixture server as a process of its own. */
final class TestHost implements AutoCloseable {
    private static final long SECONDS = 60;

    private final Path folder;
    private final OutputStream toProxy;
    private final BlockingQueue<Message> received = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> exit;
    private final List<Message> aside = new ArrayList<>();

    static List<String> command(Path folder, String... fault) {
        return command(FixtureServer.class, folder, fault);
    }

    /** A server of the tests as a process of its own. */
    static List<String> command(Class<?> server, Path folder, String... fault) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                server.getName(),
                folder.toString()));
        command.addAll(List.of(fault));
        return command;
    }

    TestHost(Idem idem, McpOptions options, Path folder, String... fault) throws IOException {
        this(idem, options, Duration.ofSeconds(20), folder, command(folder, fault));
    }

    TestHost(Idem idem, McpOptions options, Duration signs, Path folder, List<String> command) throws IOException {
        this(idem, options, signs, Duration.ofSeconds(50), folder, command);
    }

    TestHost(Idem idem, McpOptions options, Duration signs, Duration longestEnd, Path folder, List<String> command)
            throws IOException {
        this.folder = folder;
        Pipe in = Pipe.open();
        Pipe out = Pipe.open();
        toProxy = Channels.newOutputStream(in.sink());
        StdioProxy proxy = new StdioProxy(idem, options, command, signs, longestEnd);
        exit = CompletableFuture.supplyAsync(
                () -> {
                    try (var input = Channels.newInputStream(in.source());
                            var output = Channels.newOutputStream(out.sink())) {
                        return proxy.run(input, output);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                work -> new Thread(work, "proxy").start());
        Thread reader = new Thread(() -> {
            Lines lines = new Lines(Channels.newInputStream(out.source()), 100_000_000);
            try {
                for (byte[] line = lines.next(); line != null; line = lines.next()) {
                    received.add(Message.ofServer(line));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        reader.setDaemon(true);
        reader.start();
    }

    void send(String line) throws IOException {
        toProxy.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        toProxy.flush();
    }

    static String call(int id, String tool, String arguments) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
                + "\",\"arguments\":" + arguments + "}}";
    }

    /** Makes a call and waits for its answer. */
    Message ask(int id, String tool, String arguments) throws Exception {
        send(call(id, tool, arguments));
        return answer(id);
    }

    /** The answer to a request. Other messages are put aside. */
    Message answer(int id) throws InterruptedException {
        return next(message -> message.isResponse() && String.valueOf(id).equals(message.id()));
    }

    Message next(java.util.function.Predicate<Message> wanted) throws InterruptedException {
        for (Message message : List.copyOf(aside)) {
            if (wanted.test(message)) {
                aside.remove(message);
                return message;
            }
        }
        while (true) {
            Message message = received.poll(SECONDS, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("no answer; put aside: " + aside);
            } else if (wanted.test(message)) {
                return message;
            }
            aside.add(message);
        }
    }

    /** Messages that came before those that were waited for. */
    List<Message> putAside() {
        return List.copyOf(aside);
    }

    static String text(Message response) {
        return response.result("content") instanceof List<?> blocks
                        && !blocks.isEmpty()
                        && blocks.get(0) instanceof Map<?, ?> first
                ? String.valueOf(first.get("text"))
                : Json.write(response.members());
    }

    static String status(Message response) {
        return response.result("_meta") instanceof Map<?, ?> meta ? String.valueOf(meta.get("dev.idem/status")) : "";
    }

    List<String> lines(String file) throws IOException {
        Path path = folder.resolve(file);
        return Files.exists(path) ? Files.readAllLines(path) : List.of();
    }

    List<String> effects() throws IOException {
        return lines("effects");
    }

    void awaitLine(String file, String line) {
        Eventually.isTrue(
                "the line '" + line + "' in " + file, () -> lines(file).contains(line));
    }

    void letGo() throws IOException {
        Files.createFile(folder.resolve("go"));
    }

    void closeInput() throws IOException {
        toProxy.close();
    }

    /** Closes the input of the proxy, as hosts do, and waits for its end. */
    int end() throws IOException {
        closeInput();
        return awaitExit();
    }

    /** The exit code of a proxy that ends by itself. */
    int awaitExit() {
        return exit.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
