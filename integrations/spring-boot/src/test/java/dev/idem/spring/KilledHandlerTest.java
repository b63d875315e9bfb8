package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import dev.idem.testkit.ChildProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The process is killed while the agent runs. Nothing runs again, and a person's answer ends the doubt. */
class KilledHandlerTest {
    @RestController
    static class AgentController {
        @PostMapping("/agent/run")
        Map<String, Object> run(@RequestBody Map<String, Object> payload) throws InterruptedException {
            System.out.println("running");
            new CountDownLatch(1).await();
            return payload;
        }
    }

    @EnableAutoConfiguration
    @Import(AgentController.class)
    static class Application {
        /** The process that is killed. */
        public static void main(String[] arguments) {
            App app = App.start(Application.class, arguments);
            System.out.println(app.context().getEnvironment().getRequiredProperty("local.server.port"));
        }
    }

    @TempDir
    private Path folder;

    @Test
    void aKilledHandlerIsInDoubtThenResolvedThroughTheActuatorAndReplayed() throws Exception {
        String ledger = "idem.ledger=sqlite:" + folder.resolve("idem.db");
        Sent request = Sent.post("/agent/run").key("req-001").json("{\"task\":\"book a flight\"}");
        try (ChildProcess killed = ChildProcess.start(Application.class, ledger)) {
            String port = killed.line();
            CompletableFuture<?> unanswered = HttpClient.newHttpClient()
                    .sendAsync(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/agent/run"))
                                    .header("X-Caller", request.caller())
                                    .header("Idempotency-Key", "req-001")
                                    .header("Content-Type", "application/json")
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(request.body()))
                                    .build(),
                            BodyHandlers.discarding());
            assertThat(killed.line()).isEqualTo("running");
            killed.kill();
            assertThat(unanswered.handle((answer, thrown) -> thrown).join()).isNotNull();
        }

        try (App restarted = App.start(Application.class, ledger, "management.endpoints.web.exposure.include=idem")) {
            Received told = restarted.send(request);
            assertThat(told.status()).isEqualTo(409);
            assertThat(told.text()).contains("urn:idem:problem:in-doubt");

            Received resolved = restarted.send(Sent.post("/actuator/idem")
                    .by("ann")
                    .json(Json.write(Map.of(
                            "scope", "http:" + request.caller(),
                            "operation", "POST /agent/run",
                            "key", "req-001",
                            "as", "complete",
                            "result", "{\"status\":\"complete\",\"result\":\"flight LH 400\"}",
                            "why", "the airline has the booking"))));
            assertThat(resolved.status()).as(resolved.text()).isEqualTo(200);

            Received replay = restarted.send(request);
            assertThat(replay.status()).isEqualTo(200);
            assertThat(replay.text()).isEqualTo("{\"status\":\"complete\",\"result\":\"flight LH 400\"}");
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        }
    }
}
