package com.example.app;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** A service on the starter, and a client that sends its request twice. */
@SpringBootApplication
@RestController
public class Main {
    private static final AtomicInteger RUNS = new AtomicInteger();

    @PostMapping("/agent/run")
    Map<String, Object> run(@RequestBody Map<String, Object> payload) {
        return Map.of("result", "run " + RUNS.incrementAndGet() + " of " + payload);
    }

    public static void main(String[] arguments) throws Exception {
        SpringApplication application = new SpringApplication(Main.class);
        application.setDefaultProperties(Map.of(
                "server.port", "0",
                "server.address", "127.0.0.1",
                "idem.http.principal-required", "false",
                "idem.ledger", "sqlite:" + arguments[0]));
        try (ConfigurableApplicationContext context = application.run()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                            + context.getEnvironment().getProperty("local.server.port") + "/agent/run"))
                    .header("Idempotency-Key", "req-001")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"city\":\"Rome\"}"))
                    .build();
            HttpClient client = HttpClient.newHttpClient();
            HttpResponse<String> first = client.send(request, HttpResponse.BodyHandlers.ofString());
            HttpResponse<String> second = client.send(request, HttpResponse.BodyHandlers.ofString());
            if (RUNS.get() != 1
                    || first.statusCode() != 200
                    || !first.body().equals(second.body())
                    || second.headers().firstValue("Idempotent-Replayed").isEmpty()) {
                throw new AssertionError(RUNS + " runs; " + first + first.body() + "; " + second + second.body());
            }
        }
        System.out.println("ran once");
    }
}
