package dev.idem.http.client;

import dev.idem.IdemException;
import dev.idem.Provenance;
import dev.idem.http.Response;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** A response, and what Idem knows about it. */
public final class GuardedResponse<T> implements HttpResponse<T> {
    private final HttpRequest request;
    private final int status;
    private final HttpHeaders headers;
    private final T body;
    private final @Nullable HttpResponse<?> sent;
    private final @Nullable Provenance from;
    private final @Nullable IdemException doubt;

    private GuardedResponse(
            HttpRequest request,
            int status,
            HttpHeaders headers,
            T body,
            @Nullable HttpResponse<?> sent,
            @Nullable Provenance from,
            @Nullable IdemException doubt) {
        this.request = request;
        this.status = status;
        this.headers = headers;
        this.body = body;
        this.sent = sent;
        this.from = from;
        this.doubt = doubt;
    }

    static <T> GuardedResponse<T> unguarded(HttpResponse<T> sent) {
        return new GuardedResponse<>(sent.request(), sent.statusCode(), sent.headers(), sent.body(), sent, null, null);
    }

    static <T> GuardedResponse<T> of(
            HttpRequest request, Answer answer, @Nullable HttpResponse<?> sent, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        Response response = answer.response();
        HttpHeaders headers = sent == null ? HttpHeaders.of(response.headers(), (name, value) -> true) : sent.headers();
        HttpClient.Version version = sent == null ? HttpClient.Version.HTTP_1_1 : sent.version();
        T body = Bodies.write(new Info(response.status(), headers, version), response.body(), handler);
        return new GuardedResponse<>(request, response.status(), headers, body, sent, answer.from(), answer.doubt());
    }

    private record Info(int statusCode, HttpHeaders headers, HttpClient.Version version) implements ResponseInfo {}

    /** Whether Idem read the response from its ledger and sent nothing. It then has the header {@code Idem-Replayed}. */
    public boolean replayed() {
        return from != null && from.replayed();
    }

    /** The origin of a recorded response. Empty for a response that is not recorded: the request may be sent again. */
    public Optional<Provenance> provenance() {
        return Optional.ofNullable(from);
    }

    /**
     * Why the request may have taken effect, although its response is a refusal such as 503. The message says what to do
     * next. Later requests with this key get the same as an exception.
     */
    public Optional<IdemException> doubt() {
        return Optional.ofNullable(doubt);
    }

    @Override
    public int statusCode() {
        return status;
    }

    @Override
    public HttpRequest request() {
        return request;
    }

    /** Always empty: redirects are not followed. */
    @Override
    public Optional<HttpResponse<T>> previousResponse() {
        return Optional.empty();
    }

    @Override
    public HttpHeaders headers() {
        return headers;
    }

    @Override
    public T body() {
        return body;
    }

    /** The session of the connection; empty for a replay. */
    @Override
    public Optional<SSLSession> sslSession() {
        return sent == null ? Optional.empty() : sent.sslSession();
    }

    @Override
    public URI uri() {
        return request.uri();
    }

    /** The version of the protocol; HTTP/1.1 for a replay. */
    @Override
    public HttpClient.Version version() {
        return sent == null ? HttpClient.Version.HTTP_1_1 : sent.version();
    }

    /** Shows no headers, no body and no query, which may hold secrets. */
    @Override
    public String toString() {
        return "GuardedResponse[" + request.method() + " " + status + (replayed() ? ", replayed" : "")
                + (doubt == null ? "" : ", in doubt") + "]";
    }
}
