package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.idem.http.webhook.Sender;
import dev.idem.http.webhook.Signer;
import dev.idem.http.webhook.Verification;
import dev.idem.http.webhook.Verifier;
import dev.idem.http.webhook.WebhookRequest;
import dev.idem.testkit.Until;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
        new InProcess(folder).idem("run", "--key", "mail-7", "--ledger", ledger(), "--", "sh", "-c", "exit 3");
        ProcessBuilder builder = new ProcessBuilder(Idems.command(
                        List.of(),
                        "serve",
                        "--listen",
                        "127.0.0.1:0",
                        "--tokens",
                        folder.resolve("private/tokens.json").toString(),
                        "--ledger",
                        ledger(),
                        "--notify",
                        "webhook:http://127.0.0.1:" + receiver.getAddress().getPort() + "/s3cret",
                        "--notify-secret",
                        "env:HOOK_SECRET"))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().put("HOOK_SECRET", Signer.TEST_WHSEC);
        Process server = builder.start();
        try {
            Until.isTrue("told", () -> !bodies.isEmpty() || !server.isAlive());
            assertThat(bodies).as(Files.readString(folder.resolve("log"))).hasSize(1);
            assertThat(Verifier.of(Sender.STANDARD_WEBHOOKS, Signer.TEST_WHSEC).verify(got.get(0)))
                    .isInstanceOf(Verification.Accepted.class);
            assertThat(bodies.get(0))
                    .contains("the command ended with exit 3")
                    .containsPattern(
                            "\"link\":\"http://127.0.0.1:[0-9]+/#/entry\\?scope=default&operation=run&key=mail-7\"");
            server.destroy();
            server.waitFor();
            assertThat(folder.resolve("log")).content().doesNotContain("s3cret").doesNotContain(Signer.TEST_WHSEC);
        } finally {
            server.destroyForcibly().waitFor();
            receiver.stop(0);
        }
    }

    private String ledger() {
        return "sqlite:" + folder.resolve("idem.db") + "?busy=60s";
    }
}
