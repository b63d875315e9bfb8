package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.idem.cli.Idems.Started;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.Verification;
import dev.idem.http.webhook.Verifier;
import dev.idem.http.webhook.WebhookRequest;
import dev.idem.testkit.Until;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code idem serve --notify} as a process of its own. */
@Timeout(180)
class NotifyIT {
    @TempDir
    Path folder;

    @Test
    void aCommandThatFailedIsToldWithALinkToTheServer() throws Exception {
        List<WebhookRequest> requests = new CopyOnWriteArrayList<>();
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes();
            requests.add(WebhookRequest.of(Map.copyOf(exchange.getRequestHeaders()), body));
            bodies.add(new String(body, StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        String ledger = "sqlite:" + folder.resolve("idem.db") + "?busy=60s";
        try (Idems idems = new Idems(folder).with("HOOK_SECRET", Signer.TEST_WHSEC)) {
            assertThat(idems.run("run", "--key", "mail-7", "--ledger", ledger, "--", "sh", "-c", "exit 3")
                            .exit())
                    .isEqualTo(3);
            Started server = idems.start(
                    "serve",
                    "--listen",
                    "127.0.0.1:0",
                    "--tokens",
                    folder.resolve("private/tokens.json").toString(),
                    "--ledger",
                    ledger,
                    "--notify",
                    "webhook:http://127.0.0.1:" + receiver.getAddress().getPort() + "/s3cret",
                    "--notify-secret",
                    "env:HOOK_SECRET");
            Until.isTrue("told", () -> !bodies.isEmpty() || !server.process.isAlive());
            assertThat(bodies).as(server.stderr()).hasSize(1);
            assertThat(Verifier.of(Sender.STANDARD_WEBHOOKS, Signer.TEST_WHSEC).verify(requests.get(0)))
                    .isInstanceOf(Verification.Accepted.class);
            assertThat(bodies.get(0))
                    .contains("run is in doubt: the action ended with CommandDoubtful")
                    .containsPattern(
                            "\"link\":\"http://127.0.0.1:[0-9]+/#/entry\\?scope=default&operation=run&key=mail-7\"");
            server.process.destroy();
            assertThat(server.end().err()).doesNotContain("s3cret").doesNotContain(Signer.TEST_WHSEC);
        } finally {
            receiver.stop(0);
        }
    }
}
