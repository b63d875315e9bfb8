package dev.idem.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.http.suite.Received;
import dev.idem.http.suite.Sent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The agent behind a web handler: a request that is sent twice runs it once. */
class FoundingHandlerTest {
    @RestController
    record AgentController(Agent agent) {
        @PostMapping("/agent/run")
        Map<String, Object> run(@RequestBody Map<String, Object> payload) {
            return Map.of("status", "complete", "result", agent.run(payload));
        }
    }

    @EnableAutoConfiguration
    @Import({Agent.class, AgentController.class})
    static class Application {}

    /** Each run has a number of its own. */
    static final class Agent {
        final AtomicInteger runs = new AtomicInteger();

        String run(Map<String, Object> payload) {
            return payload.get("task") + " " + runs.incrementAndGet();
        }
    }

    private static App app;

    @BeforeAll
    static void start() {
        app = App.start(Application.class, "idem.ledger=memory:");
    }

    @AfterAll
    static void stop() {
        app.close();
    }

    private static Sent request(String key) {
        return Sent.post("/agent/run").key(key).json("{\"task\":\"book a flight\"}");
    }

    @Test
    void theSameRequestTwiceIsOneRunAndTwoEqualAnswers() throws Exception {
        int before = app.bean(Agent.class).runs.get();

        Received first = app.send(request("twice"));
        Received second = app.send(request("twice"));

        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(first.text()).contains("book a flight");
        assertThat(first.header("Idempotent-Replayed")).isNull();
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(app.bean(Agent.class).runs.get()).isEqualTo(before + 1);
    }

    @Test
    void fiftyAtOnceAreOneRunAndFiftyEqualAnswers() throws Exception {
        int before = app.bean(Agent.class).runs.get();
        ExecutorService clients = Executors.newFixedThreadPool(50);
        try {
            CountDownLatch ready = new CountDownLatch(50);
            List<Future<Received>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                answers.add(clients.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return app.send(request("fifty"));
                }));
            }
            byte[] body = answers.get(0).get(60, TimeUnit.SECONDS).body();
            for (Future<Received> answer : answers) {
                Received received = answer.get(60, TimeUnit.SECONDS);
                assertThat(received.status()).as(received.text()).isEqualTo(200);
                assertThat(received.body()).isEqualTo(body);
            }
        } finally {
            clients.shutdownNow();
        }
        assertThat(app.bean(Agent.class).runs.get()).isEqualTo(before + 1);
    }

    @Test
    void springBootHasTheVersionThatTheBuildSays() {
        assertThat(SpringBootVersion.getVersion()).isEqualTo(System.getProperty("spring-boot.expected"));
    }
}
