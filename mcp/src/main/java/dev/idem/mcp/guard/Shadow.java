package dev.idem.mcp.guard;

import dev.idem.NotExecutedException;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Makes the calls that a guard would have stopped, and counts them: what a guard would do, before it does it. */
final class Shadow {
    private final Upstream upstream;
    private final Consumer<String> told;
    private final LongAdder calls = new LongAdder();
    private final Map<String, LongAdder> stopped = new ConcurrentSkipListMap<>();

    Shadow(Upstream upstream, Consumer<String> told) {
        this.upstream = upstream;
        this.told = told;
    }

    /** A call was made, or would have been stopped. */
    void count() {
        calls.increment();
    }

    /** Sends a call that a guard would have stopped, and counts it under this reason. */
    byte[] forward(HostCall host, String reason) {
        String tool = String.valueOf(host.request().param("name"));
        told.accept("a call of '" + tool + "' would have been stopped: " + reason);
        stopped.computeIfAbsent(reason, word -> new LongAdder()).increment();
        String id = String.valueOf(host.request().id());
        try {
            host.markSent();
            var response = upstream.send(host.request(), host);
            host.turn().giveUp();
            return Splice.replace(response.get().bytes(), id, "id");
        } catch (ExecutionException | NotExecutedException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return McpAnswers.error(id, RpcError.OF_THE_GUARD, "the server did not answer: " + cause.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return McpAnswers.error(id, RpcError.OF_THE_GUARD, "interrupted");
        }
    }

    /** The counts, in words. */
    String summary() {
        long all = stopped.values().stream().mapToLong(LongAdder::sum).sum();
        String kinds = stopped.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
        return all + " of " + calls + " calls would have been stopped" + (all == 0 ? "" : ": " + kinds);
    }
}
