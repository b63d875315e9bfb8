package dev.idem.conformance;

import dev.idem.Json;
import dev.idem.JsonException;
import dev.idem.server.Api;
import dev.idem.server.StdioCarrier;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** A server that a client has started: the real carrier and the real methods, behind the faults. */
final class Served {
    private final int number;
    private final String secret;
    private final Socket client;
    private final Api api;
    private final Faults faults;
    private final ExecutorService threads;
    private final LineQueue toServer = new LineQueue();
    private final Map<Object, CompletableFuture<String>> asked = new ConcurrentHashMap<>();
    private volatile boolean dead;
    private volatile @Nullable ProcessHandle relay;

    Served(int number, String secret, Socket client, Api api, Faults faults, ExecutorService threads) {
        this.number = number;
        this.secret = secret;
        this.client = client;
        this.api = api;
        this.faults = faults;
        this.threads = threads;
    }

    void start() {
        var carrier = new StdioCarrier(api, toServer, new Answers(), "conformance");
        threads.execute(() -> {
            try (api) {
                carrier.run();
            }
        });
        threads.execute(this::read);
    }

    int number() {
        return number;
    }

    private void read() {
        try (var lines = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8))) {
            String greeting = lines.readLine();
            if (greeting == null || !greeting.startsWith(secret + " ")) {
                return;
            }
            relay = ProcessHandle.of(Long.parseLong(greeting.substring(secret.length() + 1)))
                    .orElse(null);
            for (String line = lines.readLine(); line != null && !dead; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException | NumberFormatException e) {
            // The client is gone.
        } finally {
            toServer.end();
            end();
        }
    }

    @SuppressWarnings("unchecked")
    private void take(String line) {
        Map<String, @Nullable Object> parsed;
        try {
            parsed = (Map<String, @Nullable Object>) Json.parse(line);
        } catch (JsonException | ClassCastException e) {
            parsed = null;
        }
        if (parsed == null || parsed.get("id") == null || !(parsed.get("method") instanceof String method)) {
            // The real server says what is wrong with it.
            toServer.put((line + "\n").getBytes(StandardCharsets.UTF_8));
            return;
        }
        Map<String, @Nullable Object> params =
                parsed.get("params") instanceof Map<?, ?> given ? (Map<String, @Nullable Object>) given : Map.of();
        Request request = new Request(number, System.nanoTime(), parsed.get("id"), method, params);
        Fault fault = faults.of(request);
        Exchange exchange = new Exchange(this, request, line);
        threads.execute(() -> {
            try {
                fault.handle(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error e) {
                faults.failed(e);
            }
        });
    }

    /** Sends a request to the real server. If this server dies first, the answer never comes. */
    CompletableFuture<String> forward(@Nullable Object id, String line) {
        CompletableFuture<String> answer = new CompletableFuture<>();
        asked.put(String.valueOf(id), answer);
        toServer.put((line + "\n").getBytes(StandardCharsets.UTF_8));
        return answer;
    }

    /** Writes a line to the client. */
    synchronized void say(String line) {
        if (dead) {
            return;
        }
        try {
            OutputStream out = client.getOutputStream();
            out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            dead = true;
        }
    }

    /** Kills the process that the client takes for its server, and stops all renewals. */
    void die() {
        dead = true;
        ProcessHandle process = relay;
        if (process != null) {
            process.destroyForcibly();
        }
        toServer.end();
        api.close();
        end();
    }

    /** Whether the process that the client takes for its server has ended. */
    boolean isGone() {
        ProcessHandle process = relay;
        return process != null && !process.isAlive();
    }

    private void end() {
        dead = true;
        try {
            client.close();
        } catch (IOException e) {
            // It is closed.
        }
    }

    /** What the real server writes: one whole line in each call. */
    private final class Answers extends OutputStream {
        @Override
        public void write(int b) {
            throw new IllegalStateException("the server writes whole lines");
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            String line = new String(bytes, from, length, StandardCharsets.UTF_8).stripTrailing();
            Object id = Json.parse(line) instanceof Map<?, ?> answer ? answer.get("id") : null;
            CompletableFuture<String> waiting = id == null ? null : asked.remove(String.valueOf(id));
            if (waiting == null) {
                say(line);
            } else {
                waiting.complete(line);
            }
        }
    }
}
