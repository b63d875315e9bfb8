package dev.idem.cli.demo;

import dev.idem.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The agent's way to its model and to the services. */
final class Remote {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    Remote(String url) {
        this.url = url;
    }

    /** Asks for something; {@code key} goes along where there is one. */
    String post(String name, Object body, @Nullable String key) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/" + name))
                .POST(HttpRequest.BodyPublishers.ofString(Json.write(body)));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        HttpResponse<String> response = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(name + " answered " + response.statusCode());
        }
        return response.body();
    }

    /** Tells the model what has been done, and gives what it wants next. */
    Map<?, ?> ask(Object results) throws IOException, InterruptedException {
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(post("model", Map.of("results", results), null)));
    }
}
