package dev.idem.http.client;

import dev.idem.http.Response;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;

/** A response in memory, as Spring reads it. */
final class ReceivedResponse implements ClientHttpResponse {
    private final Response response;
    private final HttpHeaders headers = new HttpHeaders();

    ReceivedResponse(Response response) {
        this.response = response;
        response.headers().forEach((name, lines) -> lines.forEach(line -> headers.add(name, line)));
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return HttpStatusCode.valueOf(response.status());
    }

    @Override
    public String getStatusText() {
        HttpStatus known = HttpStatus.resolve(response.status());
        return known == null ? "" : known.getReasonPhrase();
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public InputStream getBody() {
        return new ByteArrayInputStream(response.body());
    }

    @Override
    public void close() {
        // The connection was closed when the body was read.
    }
}
