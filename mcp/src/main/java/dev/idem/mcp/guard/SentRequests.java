package dev.idem.mcp.guard;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests that the guard has sent to the server under ids of its own, and that the server still has to answer. Hosts
 * use their ids and progress tokens again, so these never reach the server. Thread-safe.
 */
public final class SentRequests {
    private final String prefix =
            "idem-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "-";
    private final AtomicLong number = new AtomicLong();
    private final Map<String, Sent> byId = new ConcurrentHashMap<>();

    private record Sent(CompletableFuture<Message> response, HostCall from) {}

    /** A new id for a request. */
    public String newId() {
        return prefix + number.incrementAndGet();
    }

    /** The bytes of a request under an id of the guard, with a progress token where the host gave one. */
    public static byte[] renamed(String id, Message request, HostCall from) {
        byte[] bytes = Splice.replace(request.bytes(), Splice.quoted(id), "id");
        return from.token() == null
                ? bytes
                : Splice.replace(bytes, Splice.quoted(id), "params", "_meta", "progressToken");
    }

    /** Awaits the response to a request that is about to be sent. */
    public void await(String id, HostCall from, CompletableFuture<Message> response) {
        byId.put(id, new Sent(response, from));
    }

    /** Whether a response answers a request of the guard. Each one is answered once; what comes later is dropped. */
    public boolean answeredBy(Message response) {
        if (!(response.members().get("id") instanceof String id && id.startsWith(prefix))) {
            return false;
        }
        Sent sent = byId.remove(id);
        if (sent != null) {
            sent.response.complete(response);
        }
        return true;
    }

    /** Whether a line that can't be read was to answer a request of the guard. Such an answer leaves a doubt. */
    public boolean garbledBy(byte[] line) {
        String text = new String(line, StandardCharsets.ISO_8859_1);
        List<String> named = byId.keySet().stream()
                .filter(id -> text.contains("\"" + id + "\""))
                .toList();
        named.forEach(id -> lose(id, new NoAnswerException("the server's answer is no valid JSON")));
        return !named.isEmpty();
    }

    /** Whether a message reports the progress of a request of the guard. */
    public boolean isProgress(Message message) {
        return message.is("notifications/progress")
                && message.param("progressToken") instanceof String token
                && token.startsWith(prefix);
    }

    /** The report as its host is to see it; null where the host is to see none. */
    public byte @Nullable [] progress(Message message) {
        Sent sent = byId.get(String.valueOf(message.param("progressToken")));
        String theirs = sent == null ? null : sent.from.token();
        if (sent == null || theirs == null || !(message.param("progress") instanceof Number value)) {
            return null;
        }
        return sent.from.reports(value.doubleValue())
                ? Splice.replace(message.bytes(), theirs, "params", "progressToken")
                : null;
    }

    /** The server will not answer a request. */
    public void lose(String id, Exception why) {
        Sent sent = byId.remove(id);
        if (sent != null) {
            sent.response.completeExceptionally(why);
        }
    }

    /** The server will answer none of the requests. */
    public void loseAll(String why) {
        List.copyOf(byId.keySet()).forEach(id -> lose(id, new NoAnswerException(why)));
    }
}
