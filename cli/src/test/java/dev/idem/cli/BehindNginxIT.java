package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Json;
import dev.idem.cli.Idems.Started;
import dev.idem.lab.PostgresqlServer;
import dev.idem.lab.RedisProcess;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two servers of one PostgreSQL behind nginx, of which one is killed. */
@Timeout(300)
class BehindNginxIT extends ProcessCase {
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final Pattern PORT = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+)\n");
    private static final int KEYS = Thorough.times(80, 300);
    private static final int CLIENTS = 4;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();
    private final AtomicInteger settled = new AtomicInteger();
    private String secret;
    private int port;

    @Test
    void clientsGoOnWhenOneIsKilled() throws Exception {
        assumeTrue(Files.isExecutable(NGINX), "nginx is not installed");
        try (PostgresqlServer database = new PostgresqlServer(home)) {
            Started one = serve(database.url());
            Started two = serve(database.url());
            secret = Files.readString(home.resolve("state/idem/token")).strip();
            Process nginx = nginx(port(one), port(two));
            ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
            try {
                Until.isTrue(
                        "nginx passes requests on", () -> post("hello", "{}").contains("hello"));
                eventsComeThrough();
                var ends = IntStream.range(0, CLIENTS)
                        .<Future<?>>mapToObj(i -> clients.submit(this::work))
                        .toList();
                Until.isTrue("they work", () -> settled.get() > KEYS / 4);
                one.kill();
                for (Future<?> each : ends) {
                    each.get();
                }
            } finally {
                clients.shutdownNow();
                nginx.destroyForcibly().waitFor();
            }
        }
        assertThat(effects).hasSize(KEYS);
        assertThat(effects.values()).allMatch(times -> times.get() == 1);
    }

    private Started serve(String ledger) {
        Started server = idems.start("serve", "--listen", "127.0.0.1:0", "--ledger", ledger);
        Until.isTrue("it serves", () -> {
            assertThat(server.process.isAlive()).as(server.stderr()).isTrue();
            return server.stderr().contains("tokens: ");
        });
        return server;
    }

    private static String port(Started server) {
        Matcher matcher = PORT.matcher(server.stderr());
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }

    /** With the buffers that it has by default. */
    private Process nginx(String one, String two) throws IOException {
        Path folder = Files.createDirectory(home.resolve("nginx"));
        port = RedisProcess.freePort();
        String temp = "";
        for (String kind : new String[] {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
            temp += kind + "_temp_path " + folder.resolve(kind) + "; ";
        }
        Path config = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; master_process off; pid %1$s/pid; error_log %1$s/error.log;
                events { worker_connections 200; }
                http {
                    access_log off; %2$s
                    upstream idem { server 127.0.0.1:%3$s max_fails=1 fail_timeout=5s; server 127.0.0.1:%4$s; }
                    server {
                        listen 127.0.0.1:%5$d;
                        location / {
                            proxy_pass http://idem;
                            proxy_http_version 1.1;
                            proxy_set_header Host $host;
                            proxy_next_upstream error timeout non_idempotent;
                        }
                    }
                }
                """.formatted(folder, temp, one, two, port));
        return new ProcessBuilder(NGINX.toString(), "-p", folder.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", "Bearer " + secret);
    }

    /** An answer, or nothing. */
    private String post(String method, String body) {
        try {
            HttpResponse<String> answer = http.send(
                    to("/v1/" + method)
                            .timeout(Duration.ofSeconds(60))
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    BodyHandlers.ofString());
            return answer.statusCode() == 200 ? answer.body() : "";
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Map<?, ?> asked(String method, String body) {
        while (true) {
            String answer = post(method, body);
            if (!answer.isEmpty()) {
                return (Map<?, ?>) Json.parse(answer);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /** All clients want to do the same. */
    private void work() {
        for (int i = 0; i < KEYS; i++) {
            String key = "k" + i;
            while (true) {
                String id = UUID.randomUUID().toString().replace("-", "");
                Map<?, ?> claim =
                        asked("claim", "{\"operation\":\"o\",\"key\":\"" + key + "\",\"attempt_id\":\"" + id + "\"}");
                Object answer = claim.get("answer");
                if (answer.equals("granted")) {
                    effects.computeIfAbsent(key, each -> new AtomicInteger()).incrementAndGet();
                    Map<?, ?> end = asked(
                            "settle",
                            "{\"ticket\":\"" + claim.get("ticket") + "\",\"as\":\"complete\",\"result\":\"" + key
                                    + "\"}");
                    assertThat(end.get("state")).isEqualTo("complete");
                    settled.incrementAndGet();
                } else if (answer.equals("replay")) {
                    assertThat(claim.get("result")).isEqualTo(key);
                    break;
                } else {
                    assertThat(answer).isEqualTo("in_flight");
                }
            }
        }
    }

    private void eventsComeThrough() throws Exception {
        HttpResponse<InputStream> stream = http.send(to("/v1/events").build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            assertThat(lines.readLine()).isEqualTo(": listening");
        }
    }
}
