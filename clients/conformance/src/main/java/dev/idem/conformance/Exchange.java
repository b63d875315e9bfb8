package dev.idem.conformance;

import dev.idem.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A request on its way to the server, and its answer on its way back. */
record Exchange(Served server, Request request, String line) {
    /** Lets the real server do the step, and gives its answer. */
    String ask() throws InterruptedException {
        CompletableFuture<String> answer = server.forward(request.id(), line);
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The same request with another value of a parameter. */
    Exchange with(String name, Object value) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>(request.params());
        params.put(name, value);
        Map<String, @Nullable Object> changed = new LinkedHashMap<>();
        changed.put("jsonrpc", "2.0");
        changed.put("id", request.id());
        changed.put("method", request.method());
        changed.put("params", params);
        return new Exchange(server, request, Json.writePlain(changed));
    }

    /** Sends a line to the client, if its server still lives. */
    void answer(String answer) {
        server.say(answer);
    }
}
