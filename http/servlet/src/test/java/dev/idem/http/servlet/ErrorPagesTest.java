package dev.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An application that declares error pages, and has none for some status. */
class ErrorPagesTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Handlers handlers = new Handlers();
    private final HttpClient client = HttpClient.newHttpClient();
    private Container container;

    @AfterEach
    void close() {
        container.close();
        idem.close();
    }

    private HttpResponse<String> post(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + container.port() + path))
                .header("Idempotency-Key", "k-1")
                .header("X-Caller", "ann")
                .POST(BodyPublishers.ofString("tea"))
                .build();
        return client.send(request, BodyHandlers.ofString());
    }

    /** Its key was in progress until the time limit, since the filter waited for a page that never came. */
    @ParameterizedTest
    @MethodSource("dev.idem.http.servlet.Server#onClassPath")
    void anErrorWithoutItsPageIsRecordedWithItsMessage(Server server) throws Exception {
        HttpRules rules = HttpRules.ietf().policy(Policy.write().waitFor(Duration.ofSeconds(10)));
        IdemFilter filter = new IdemFilter(new HttpGuard(idem, rules)).errorPages(Duration.ofMillis(20));
        container = server.start(filter, handlers);

        assertThat(post("/error-without-page").statusCode()).isEqualTo(418);
        HttpResponse<String> second = post("/error-without-page");

        assertThat(second.statusCode()).as(second.body()).isEqualTo(418);
        assertThat(second.body()).isEqualTo("a teapot 1");
        assertThat(second.headers().firstValue("Idempotent-Replayed")).hasValue("true");
        assertThat(handlers.runs).hasValue(1);
    }
}
