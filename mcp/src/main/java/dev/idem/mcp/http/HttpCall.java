package dev.idem.mcp.http;

import dev.idem.http.IdempotencyKey;
import dev.idem.mcp.guard.CallKey;
import dev.idem.mcp.guard.HostCall;
import dev.idem.mcp.guard.Message;
import dev.idem.mcp.guard.Turns;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** A tool call that came over HTTP. */
final class HttpCall extends HostCall {
    private final HttpHeaders headers;
    private final @Nullable String query;
    private final UserHeaders users;
    private final @Nullable HostExchange exchange;
    /** The requests of the server to this host. The host may have answered some; nothing tells that here. */
    private final Queue<Message> asked = new ConcurrentLinkedQueue<>();

    private volatile @Nullable HttpRefusal refusal;
    private volatile boolean pinged;

    private HttpCall(
            Message request,
            HttpHeaders headers,
            @Nullable String query,
            UserHeaders users,
            @Nullable HostExchange exchange) {
        super(request, Turns.outOfTurn());
        this.headers = headers;
        this.query = query;
        this.users = users;
        this.exchange = exchange;
    }

    static HttpCall of(Message request, UserHeaders users, HostExchange exchange) {
        return new HttpCall(request, exchange.headers(), exchange.query(), users, exchange);
    }

    HttpHeaders headers() {
        return headers;
    }

    @Nullable
    String query() {
        return query;
    }

    @Override
    public HostCall aside(Message other) {
        HttpCall call = new HttpCall(other, headers.forTool(String.valueOf(other.param("name"))), query, users, null);
        call.detach();
        return call;
    }

    @Override
    public Optional<String> credential() {
        return users.of(headers, query);
    }

    /** The user, the session, and settings in headers. */
    @Override
    public String audience() {
        return audience(headers, query);
    }

    static String audience(HttpHeaders headers, @Nullable String query) {
        return headers.digest() + (query == null ? "" : CallKey.digest(query));
    }

    /** @throws IllegalArgumentException when the key is malformed */
    @Override
    public Optional<String> keyBeside() {
        List<String> lines = headers.lines().get("idempotency-key");
        return lines == null
                ? Optional.empty()
                : Optional.of(IdempotencyKey.parse(lines).value());
    }

    /** The host is to get this response. */
    void refusedBy(HttpRefusal response) {
        refusal = response;
    }

    @Nullable
    HttpRefusal refusal() {
        return refusal;
    }

    @Override
    public boolean toHost(byte[] message) {
        try {
            return exchange != null && isAttached() && exchange.event(message);
        } catch (IOException e) {
            detach();
            return false;
        }
    }

    /** Detaches the call if its host is gone. A host gets its first ping after it has waited for a while. */
    void ping() {
        try {
            if (exchange != null && pinged && isAttached() && !exchange.ping()) {
                detach();
            }
            pinged = true;
        } catch (IOException e) {
            detach();
        }
    }

    /** The server waits for an answer of the host to this. */
    void isAsked(Message question) {
        asked.add(question);
    }

    /** A question that the host has got; null where there is none. Gives each one once. */
    @Nullable
    Message nextAsked() {
        return asked.poll();
    }
}
