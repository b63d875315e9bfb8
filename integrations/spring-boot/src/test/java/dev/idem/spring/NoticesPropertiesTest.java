package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.idem.Policy;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.Verification;
import dev.idem.http.webhook.Verifier;
import dev.idem.http.webhook.WebhookRequest;
import dev.idem.server.notice.Notices;
import dev.idem.testkit.Until;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application that tells a webhook about its doubts. */
class NoticesPropertiesTest {
    @TempDir
    Path folder;

    private App start(String... properties) {
        String[] all = new String[properties.length + 1];
        System.arraycopy(properties, 0, all, 1, properties.length);
        all[0] = "idem.ledger=sqlite:" + folder.resolve("idem.db");
        return App.start(ShopApplication.class, all);
    }

    @Test
    void aDoubtIsToldToTheWebhookOfTheProperties() throws Exception {
        List<WebhookRequest> got = new CopyOnWriteArrayList<>();
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            got.add(WebhookRequest.of(Map.copyOf(exchange.getRequestHeaders()), body));
            bodies.add(new String(body, StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try (App app = start(
                "idem.notices.webhook-url=http://127.0.0.1:"
                        + receiver.getAddress().getPort() + "/",
                "idem.notices.webhook-secret=" + Signer.TEST_WHSEC,
                "idem.notices.every=50ms",
                "idem.notices.link=https://ops.example.com/idem")) {
            app.idem()
                    .operation("charge")
                    .key("k1")
                    .policy(Policy.write().waitFor(Duration.ZERO))
                    .attempt(call -> {
                        throw new SocketTimeoutException("no answer");
                    });
            Until.isTrue("told", () -> !bodies.isEmpty());
        } finally {
            receiver.stop(0);
        }
        assertThat(Verifier.of(Sender.STANDARD_WEBHOOKS, Signer.TEST_WHSEC).verify(got.get(0)))
                .isInstanceOf(Verification.Accepted.class);
        assertThat(bodies.get(0))
                .contains("https://ops.example.com/idem/#/entry?scope=default&operation=charge&key=k1");
    }

    @Test
    void withoutAReceiverNobodyLooks() {
        try (App app = start()) {
            assertThat(app.context().getBeanProvider(Notices.class).getIfAvailable())
                    .isNull();
        }
    }

    @Test
    void aWebhookWithoutASecretStopsTheStartAndItsAddressIsNotShown() {
        StringBuilder told = new StringBuilder();
        for (Throwable thrown = catchThrowable(() -> start("idem.notices.webhook-url=https://hooks.example.com/s3cret")
                        .close());
                thrown != null;
                thrown = thrown.getCause()) {
            told.append(thrown).append('\n');
        }
        assertThat(told).contains("idem.notices.webhook-secret").doesNotContain("s3cret");
    }
}
