package dev.idem.conformance.reference;

import dev.idem.Json;
import dev.idem.JsonException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** A server process, and the requests that it has not answered yet. */
final class Pipe {
    private final Process process;
    private final Consumer<Map<?, ?>> surplus;
    private final Map<Object, CompletableFuture<Map<String, Object>>> open = new ConcurrentHashMap<>();
    private final AtomicLong ids = new AtomicLong();
    private volatile long heard = System.nanoTime();
    private final CompletableFuture<Pipe> ended = new CompletableFuture<>();

    /** Starts a server; {@code surplus} gets answers to requests that were answered or given up before. */
    Pipe(List<String> command, Consumer<Map<?, ?>> surplus) throws IOException {
        this.surplus = surplus;
        this.process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread reader = new Thread(this::read, "reference-pipe");
        reader.setDaemon(true);
        reader.start();
    }

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1;
        final String code;

        Refused(String code, String message) {
            super(code + ": " + message);
            this.code = code;
        }

        boolean mayComeLater() {
            return List.of("busy", "ledger_unavailable", "internal").contains(code);
        }
    }

    CompletableFuture<Pipe> ended() {
        return ended;
    }

    /** The answer's members; fails with {@link Refused}, or with an {@link IOException} if the server is gone. */
    CompletableFuture<Map<String, Object>> send(String method, Map<String, Object> params) {
        long id = ids.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        open.put(id, answer);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("jsonrpc", "2.0");
        line.put("id", id);
        line.put("method", method);
        line.put("params", params);
        try {
            synchronized (this) {
                OutputStream out = process.getOutputStream();
                out.write((Json.writePlain(line) + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
        if (ended.isDone()) {
            answer.completeExceptionally(new IOException("the server is gone"));
        }
        return answer;
    }

    private void read() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException e) {
            // The server is gone.
        }
        process.destroyForcibly();
        ended.complete(this);
        open.values().forEach(each -> each.completeExceptionally(new IOException("the server is gone")));
    }

    @SuppressWarnings("unchecked")
    private void take(String line) {
        heard = System.nanoTime();
        Map<?, ?> response;
        try {
            response = (Map<?, ?>) Json.parse(line);
        } catch (JsonException | ClassCastException e) {
            return;
        }
        Object id = response.get("id");
        CompletableFuture<Map<String, Object>> waiting = id == null ? null : open.remove(id);
        if (waiting == null) {
            surplus.accept(response);
        } else if (response.get("result") instanceof Map<?, ?> result) {
            waiting.complete((Map<String, Object>) result);
        } else {
            waiting.completeExceptionally(refused((Map<?, ?>) response.get("error")));
        }
    }

    private static Refused refused(Map<?, ?> error) {
        return new Refused(
                String.valueOf(((Map<?, ?>) error.get("data")).get("code")), String.valueOf(error.get("message")));
    }

    void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It is gone.
        }
    }

    boolean isSilentSince(Moment moment) {
        return heard - moment.nanos() < 0;
    }

    /** Ends a server that does not answer. */
    void kill() {
        process.destroyForcibly();
    }
}
