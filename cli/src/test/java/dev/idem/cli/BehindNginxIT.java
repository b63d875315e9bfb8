package dev.idem.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.Json;
import dev.idem.cli.Idems.Started;
import dev.idem.lab.PostgresqlServer;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two servers of one ledger behind nginx, which has the lines of the docs. One is killed, or all are restarted in turn. */
class BehindNginxIT extends ProcessCase {
    private static final Path NGINX = Path.of("/usr/sbin/nginx");
    private static final Pattern LINES = Pattern.compile("```text\n(upstream idem \\{.*?)```", Pattern.DOTALL);
    private static final int KEYS = Thorough.times(80, 300);
    private static final int RESTARTS = Thorough.times(4, 20);
    private static final String POLICY = ",\"policy\":{\"lease\":\"1h\",\"time_limit\":\"2h\"}";

    /** That of the docs: no connection of a client ever takes it while its server is away. */
    private static final String PORT = ":8731";

    /** Addresses of this test alone, so that the port is free there. */
    private final String net = "127." + ThreadLocalRandom.current().nextInt(1, 255) + "."
            + ThreadLocalRandom.current().nextInt(1, 255) + ".";

    private final List<String> places = List.of(net + "1" + PORT, net + "2" + PORT);
    private final String proxy = net + "3";
    private final HttpClient http = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Started> servers = new ArrayList<>();
    private final Map<String, AtomicInteger> effects = new ConcurrentHashMap<>();

    /** How often there was each status, or each failure. */
    private final Map<String, AtomicInteger> answers = new ConcurrentHashMap<>();

    private final AtomicInteger settled = new AtomicInteger();
    private final AtomicInteger heard = new AtomicInteger();
    private volatile boolean enough;
    private String ledger;
    private String secret;
    private Process nginx;

    private record Answer(int status, String body) {}

    /** How a client sends its requests. */
    private interface Way {
        Answer post(String method, String body) throws IOException, InterruptedException;
    }

    private final List<Way> ways = List.of(this::kept, this::fresh, this::kept, this::fresh);

    @BeforeEach
    void look() {
        assumeTrue(Files.isExecutable(NGINX), "nginx is not installed");
    }

    @AfterEach
    void end() throws InterruptedException {
        threads.shutdownNow();
        if (nginx != null) {
            nginx.destroyForcibly().waitFor();
        }
    }

    @Test
    void clientsGoOnWhenOneIsKilled() throws Exception {
        try (PostgresqlServer database = new PostgresqlServer(home)) {
            open(database.url());
            List<Future<?>> ends = new ArrayList<>();
            ways.forEach(way -> ends.add(threads.submit(() -> {
                for (int i = 0; i < KEYS; i++) {
                    once(way, "k" + i);
                }
            })));
            Until.isTrue("they work", () -> settled.get() > KEYS / 4);
            servers.get(0).kill();
            await(ends);
        }
        assertThat(effects).hasSize(KEYS);
        assertThat(effects.values()).allMatch(times -> times.get() == 1);
    }

    static Stream<String> ledgers() {
        return Thorough.first(1, "sqlite", "postgresql");
    }

    @ParameterizedTest
    @MethodSource("ledgers")
    void noClientSeesThatAllAreRestartedInTurn(String kind) throws Exception {
        List<Integer> exits = new ArrayList<>();
        try (PostgresqlServer database = kind.equals("sqlite") ? null : new PostgresqlServer(home)) {
            open(database == null ? "sqlite:" + home.resolve("idem.db") : database.url());
            Map<?, ?> running = claim(ways.get(0), "long");
            List<Future<?>> ends = new ArrayList<>();
            ways.forEach(way -> ends.add(threads.submit(() -> {
                for (int i = 0; !enough; i++) {
                    once(way, "k" + i);
                }
            })));
            ways.forEach(way -> ends.add(threads.submit(() -> waitFor(way, running))));
            // Those who listen to one server all come again at once when it ends.
            List<Future<?>> listening = ways.stream()
                    .<Future<?>>map(way -> threads.submit(this::listen))
                    .toList();
            Until.isTrue("events come through", () -> heard.get() > 0);
            for (int i = 0; i < RESTARTS; i++) {
                int before = settled.get();
                Until.isTrue("they work", () -> settled.get() > before + 10);
                int which = i % places.size();
                exits.add(stopped(which));
                servers.set(which, serve(places.get(which)));
            }
            enough = true;
            settle(ways.get(0), "long", running);
            await(ends);
            exits.add(stopped(0));
            exits.add(stopped(1));
            await(listening);
        }
        List<String> log = Files.readAllLines(home.resolve("nginx/requests"));
        assertThat(answers)
                .as(() -> "those of nginx: "
                        + log.stream().filter(line -> !line.startsWith("200 ")).toList())
                .containsOnlyKeys("200");
        assertThat(log).as("some went to the other server").anyMatch(line -> line.matches("200 .*, 200"));
        assertThat(exits).containsOnly(143);
        assertThat(effects.values()).allMatch(times -> times.get() == 1);
    }

    private static void await(List<Future<?>> ends) throws Exception {
        for (Future<?> each : ends) {
            each.get();
        }
    }

    private void open(String url) throws IOException {
        ledger = url;
        nginx = nginx();
        for (String place : places) {
            servers.add(serve(place));
        }
        secret = Files.readString(home.resolve("state/idem/token")).strip();
        Until.isTrue("nginx passes requests on", () -> {
            try {
                return fresh("hello", "{}").status() == 200;
            } catch (IOException e) {
                return false;
            }
        });
    }

    private Started serve(String place) {
        Started server = idems.start(
                "serve", "--listen", place, "--ledger", ledger, "--public-url", "http://" + proxy + PORT + "/idem");
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://" + place + "/readyz"))
                .build();
        Until.isTrue("it is ready", () -> {
            assertThat(server.process.isAlive()).as(server.stderr()).isTrue();
            try {
                return http.send(ready, BodyHandlers.discarding()).statusCode() == 200;
            } catch (IOException e) {
                return false;
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        return server;
    }

    /** The exit code of a server that is asked to end. */
    private int stopped(int which) {
        Idems.signal("TERM", servers.get(which).process.pid());
        return servers.get(which).end().exit();
    }

    /** With the lines of the docs, at other addresses, and with the buffers that it has by default. */
    private Process nginx() throws IOException {
        Matcher lines = LINES.matcher(Files.readString(Path.of("../docs/serve.md")));
        assertThat(lines.find()).isTrue();
        String documented = lines.group(1)
                .replace("10.0.0.1" + PORT, places.get(0))
                .replace("10.0.0.2" + PORT, places.get(1))
                .replace("\nserver {\n", "\nserver {\n    listen " + proxy + PORT + ";\n");
        assertThat(documented).contains(places).contains("listen").doesNotContain("10.0.0");
        Path folder = Files.createDirectory(home.resolve("nginx"));
        String temp = "";
        for (String kind : new String[] {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
            temp += kind + "_temp_path " + folder.resolve(kind) + "; ";
        }
        Path config = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off; master_process off; pid %1$s/pid; error_log %1$s/error.log;
                events { worker_connections 200; }
                http {
                    log_format tries '$status $request_uri $upstream_status';
                    access_log %1$s/requests tries; %2$s
                %3$s}
                """.formatted(folder, temp, documented));
        return new ProcessBuilder(NGINX.toString(), "-p", folder.toString(), "-c", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + proxy + PORT + "/idem/v1/" + path))
                .header("Authorization", "Bearer " + secret);
    }

    /** Over a connection that stays open. */
    private Answer kept(String method, String body) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                to(method)
                        .timeout(Duration.ofSeconds(60))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        return new Answer(answer.statusCode(), answer.body());
    }

    /** Over a connection for this request alone. */
    private Answer fresh(String method, String body) throws IOException {
        try (Socket socket = new Socket(proxy, Integer.parseInt(PORT.substring(1)))) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream()
                    .write(("POST /idem/v1/" + method + " HTTP/1.1\r\nHost: " + proxy + "\r\nAuthorization: Bearer "
                                    + secret
                                    + "\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
                                    + body.length() + "\r\n\r\n" + body)
                            .getBytes(UTF_8));
            String[] parts = new String(socket.getInputStream().readAllBytes(), UTF_8).split("\r\n\r\n", 2);
            if (parts.length < 2) {
                throw new IOException("no answer");
            }
            return new Answer(Integer.parseInt(parts[0].split(" ", 3)[1]), parts[1]);
        }
    }

    private static void count(Map<String, AtomicInteger> counts, Object what) {
        counts.computeIfAbsent(String.valueOf(what), first -> new AtomicInteger())
                .incrementAndGet();
    }

    /** The answer to a request, which is sent until there is one. */
    private Map<?, ?> asked(Way way, String method, String body) {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Answer answer = way.post(method, body);
                count(answers, answer.status());
                if (answer.status() == 200) {
                    return (Map<?, ?>) Json.parse(answer.body());
                }
            } catch (IOException e) {
                count(answers, e);
            } catch (InterruptedException e) {
                break;
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        throw new AssertionError("the test has ended");
    }

    private static String address(String key) {
        return "{\"operation\":\"o\",\"key\":\"" + key + "\"";
    }

    private Map<?, ?> claim(Way way, String key) {
        String attempt = UUID.randomUUID().toString().replace("-", "");
        return asked(way, "claim", address(key) + POLICY + ",\"attempt_id\":\"" + attempt + "\"}");
    }

    private void settle(Way way, String key, Map<?, ?> granted) {
        Map<?, ?> end = asked(
                way,
                "settle",
                "{\"ticket\":\"" + granted.get("ticket") + "\",\"as\":\"complete\",\"result\":\"" + key + "\"}");
        assertThat(end.get("state")).isEqualTo("complete");
        settled.incrementAndGet();
    }

    /** Waits until this attempt has ended. */
    private void waitFor(Way way, Map<?, ?> attempt) {
        String request = address((String) attempt.get("key")) + ",\"fence\":\"" + attempt.get("fence") + "\"}";
        Map<?, ?> answer;
        do {
            answer = asked(way, "wait", request);
        } while (answer.get("answer").equals("in_flight"));
        assertThat(answer.get("answer")).isEqualTo("claim_again");
    }

    /** All clients want to do the same, and look at it. */
    private void once(Way way, String key) {
        Map<?, ?> claim = claim(way, key);
        while (!claim.get("answer").equals("replay")) {
            if (claim.get("answer").equals("granted")) {
                count(effects, key);
                settle(way, key, claim);
            } else {
                assertThat(claim.get("answer")).isEqualTo("in_flight");
                waitFor(way, claim);
            }
            claim = claim(way, key);
        }
        assertThat(claim.get("result")).isEqualTo(key);
        assertThat((List<?>) asked(way, "browse", "{\"limit\":5}").get("entries"))
                .isNotEmpty();
    }

    /** Reads events, and begins again where they end. */
    private void listen() {
        while (!enough) {
            try {
                HttpResponse<Stream<String>> events = http.send(to("events").build(), BodyHandlers.ofLines());
                count(answers, events.statusCode());
                events.body().forEach(line -> heard.incrementAndGet());
            } catch (IOException | UncheckedIOException e) {
                count(answers, e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
