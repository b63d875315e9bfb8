package dev.idem.mcp;

import dev.idem.http.IdempotencyKey;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A tool call that came over HTTP. */
final class HttpCall extends HostCall {
    private final HttpHeaders headers;
    private final @Nullable HostExchange exchange;
    private volatile @Nullable HttpRefusal refusal;

    private HttpCall(Message request, HttpHeaders headers, @Nullable HostExchange exchange) {
        super(request, Turns.outOfTurn());
        this.headers = headers;
        this.exchange = exchange;
    }

    static HttpCall of(Message request, HostExchange exchange) {
        return new HttpCall(request, exchange.headers(), exchange);
    }

    HttpHeaders headers() {
        return headers;
    }

    @Override
    HostCall aside(Message other) {
        HttpCall call = new HttpCall(other, headers.forTool(String.valueOf(other.param("name"))), null);
        call.detach();
        return call;
    }

    @Override
    Optional<String> credential() {
        return headers.credential();
    }

    /** @throws IllegalArgumentException when the key is malformed */
    @Override
    Optional<String> keyBeside() {
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

    /** Sends a message to the host that comes before the answer, and tells whether the host could be reached. */
    boolean toHost(byte[] message) {
        try {
            return exchange != null && isAttached() && exchange.event(message);
        } catch (IOException e) {
            detach();
            return false;
        }
    }
}
