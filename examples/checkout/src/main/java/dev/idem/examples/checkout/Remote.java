package dev.idem.examples.checkout;

import dev.idem.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;

/** The services of others over HTTP. */
final class Remote implements Services {
    private final HttpClient http = HttpClient.newHttpClient();
    private final String url;

    Remote(String url) {
        this.url = url;
    }

    @Override
    public String post(String path, Map<String, ?> body, String key) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path))
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)))
                .build());
    }

    @Override
    public String get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)).build());
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(request.uri() + " answered " + response.statusCode());
        }
        return response.body();
    }
}
