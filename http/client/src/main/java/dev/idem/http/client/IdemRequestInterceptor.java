package dev.idem.http.client;

import dev.idem.Idem;
import dev.idem.http.OutgoingRequest;
import dev.idem.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Makes the unsafe requests of Spring's {@code RestClient} and {@code RestTemplate} happen once.
 *
 * <pre>{@code
 * RestClient client = RestClient.builder()
 *         .requestInterceptor(IdemRequestInterceptor.of(idem).provider(Provider.STRIPE))
 *         .build();
 * client.post().uri(url).attributes(IdemRequestInterceptor.key("order-7")).body(charge).retrieve().toBodilessEntity();
 * }</pre>
 *
 * <p>Add it as the last interceptor: those behind it do not see retries. GET, HEAD, OPTIONS and TRACE are sent without a
 * record. Immutable and thread-safe.
 */
public final class IdemRequestInterceptor extends GuardedClient<IdemRequestInterceptor>
        implements ClientHttpRequestInterceptor {
    private static final String KEY = IdemRequestInterceptor.class.getName() + ".key";

    private IdemRequestInterceptor(ClientSettings settings) {
        super(settings);
    }

    public static IdemRequestInterceptor of(Idem idem) {
        return new IdemRequestInterceptor(settings(idem));
    }

    /**
     * The key of one request of a {@code RestClient}: {@code .attributes(IdemRequestInterceptor.key("order-7"))}. Requests of
     * a {@code RestTemplate} have their key in the header {@code Idempotency-Key}, or in the header of the provider.
     */
    public static Consumer<Map<String, Object>> key(String key) {
        return attributes -> attributes.put(KEY, key);
    }

    @Override
    IdemRequestInterceptor with(ClientSettings changed) {
        return new IdemRequestInterceptor(changed);
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        String method = request.getMethod().name();
        if (Sending.isSafe(method)) {
            return execution.execute(request, body);
        }
        Sending sending = new Sending(
                settings,
                new OutgoingRequest(method, request.getURI(), lines(request.getHeaders()), body),
                (key, limit) -> {
                    if (key != null) {
                        key.into(request.getHeaders()::set);
                    }
                    try (ClientHttpResponse response = execution.execute(request, body)) {
                        return read(response);
                    }
                });
        try {
            Answer answer = sending.run((String) request.getAttributes().get(KEY));
            return new ReceivedResponse(answer.response());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    private Response read(ClientHttpResponse sent) throws IOException {
        int limit = settings.responseLimit();
        InputStream in = sent.getBody();
        byte[] body = in.readNBytes(limit == Integer.MAX_VALUE ? limit : limit + 1);
        if (body.length > limit) {
            // Else Spring reads the rest when it closes the response.
            in.close();
        }
        int status = sent.getStatusCode().value();
        Response response = Bodies.response(status, lines(sent.getHeaders()), body.length > limit ? null : body, false);
        if (LenientClients.gave(sent)) {
            Bodies.requireEnd(response);
        }
        return response;
    }

    /** Spring 7 has no map of headers any more; this method is in both. */
    private static Map<String, List<String>> lines(HttpHeaders headers) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> lines.put(name, List.copyOf(values)));
        return lines;
    }
}
