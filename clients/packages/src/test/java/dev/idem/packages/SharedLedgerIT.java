package dev.idem.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.http.HttpGuard;
import dev.idem.http.HttpRules;
import dev.idem.http.ReceivedRequest;
import dev.idem.http.Response;
import dev.idem.testkit.MemoryFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Servers in Java, Node and Python behind one balancer: a request that each of them gets is one call. The rules themselves
 * are cases that the tests of each language read.
 */
@Tag("proof")
class SharedLedgerIT {
    private static final String PATH = "/orders/42/pay";

    // The path of a socket has at most 106 bytes.
    @TempDir(factory = MemoryFolder.class)
    Path home;

    private Programs programs;
    private String ledger;

    @BeforeEach
    void requireFrameworks() throws Exception {
        TypeScriptPackage.requireFrameworks();
        programs = new Programs(home)
                .with("PYTHONPATH", Programs.ROOT.resolve("clients/python/src").toString());
        List<String> imports = List.of(Programs.python(), "-c", "import fastapi, uvicorn");
        assumeTrue(programs.end(home, imports).exit() == 0, "fastapi and uvicorn are not here");
        ledger = "sqlite:" + home.resolve("shop.db");
    }

    @Test
    void oneRequestToServersInAllLanguagesIsOneCall() throws Exception {
        ran(java(PATH, "k-java"), "java");
        ran(node("express", PATH, "k-java", "k-express"), "java", "express");
        ran(python(PATH, "k-java", "k-express", "k-fastapi"), "java", "express", "fastapi");
        ran(node("hono", PATH, "k-java", "k-express", "k-fastapi"), "java", "express", "fastapi");
        ran(java(PATH, "k-java", "k-express", "k-fastapi"), "java", "express", "fastapi");

        String other = "/orders/43/pay";
        for (List<String> answers :
                List.of(java(other, "k-java"), node("express", other, "k-java"), node("hono", other, "k-java"))) {
            assertThat(answers).singleElement().asString().contains("422 false", "key-reused");
        }
        assertThat(python(other, "k-java")).singleElement().asString().contains("422 false", "key-reused");
        try (Idem idem = Idem.open(ledger)) {
            for (String key : List.of("k-java", "k-express", "k-fastapi")) {
                assertThat(idem.find(new Address("http:", "POST /orders/{id}/pay", key)))
                        .isPresent();
            }
        }
    }

    /** The last answer is of the server that was asked, unless all are replays of others. */
    private static void ran(List<String> answers, String... by) {
        assertThat(answers).hasSize(by.length);
        for (int i = 0; i < by.length; i++) {
            assertThat(answers.get(i).replace(" ", "")).contains("\"by\":\"" + by[i] + "\"", "\"paid\":\"42\"");
        }
        long fresh = answers.stream()
                .filter(answer -> answer.startsWith("answer 201 false"))
                .count();
        long replays = answers.stream()
                .filter(answer -> answer.startsWith("answer 201 true"))
                .count();
        assertThat(fresh + replays).as("%s", answers).isEqualTo(by.length);
        assertThat(fresh).as("%s", answers).isLessThanOrEqualTo(1);
    }

    private List<String> node(String server, String path, String... keys) throws Exception {
        return answers(
                List.of("node", script("serve.mjs"), server, TypeScriptPackage.FRAMEWORKS.toString(), ledger, path),
                keys);
    }

    private List<String> python(String path, String... keys) throws Exception {
        return answers(List.of(Programs.python(), script("serve.py"), ledger, path), keys);
    }

    private List<String> answers(List<String> program, String... keys) throws Exception {
        String[] words = Stream.concat(program.stream(), Stream.of(keys)).toArray(String[]::new);
        return programs.run(home, words)
                .lines()
                .filter(line -> line.startsWith("answer "))
                .toList();
    }

    private String script(String name) throws Exception {
        Path file = home.resolve(name);
        try (var in = SharedLedgerIT.class.getResourceAsStream("/meeting/" + name)) {
            Files.write(file, in.readAllBytes());
        }
        return file.toString();
    }

    private List<String> java(String path, String... keys) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (Idem idem = Idem.open(ledger)) {
            HttpGuard guard = new HttpGuard(idem, HttpRules.ietf().principalRequired(false));
            server.createContext("/orders", http -> pay(guard, http));
            server.start();
            URI target = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path + "?a=1");
            List<String> answers = new ArrayList<>();
            for (String key : keys) {
                HttpRequest request = HttpRequest.newBuilder(target)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", key)
                        .POST(BodyPublishers.ofString("{\"to\":\"Zo\u00eb\",\"cents\":4200}"))
                        .build();
                var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
                boolean replayed =
                        answer.headers().firstValue("Idempotent-Replayed").isPresent();
                answers.add("answer " + answer.statusCode() + " " + replayed + " " + answer.body());
            }
            return answers;
        } finally {
            server.stop(0);
        }
    }

    private static void pay(HttpGuard guard, HttpExchange http) throws IOException {
        byte[] body = http.getRequestBody().readAllBytes();
        String id = http.getRequestURI().getPath().split("/", -1)[2];
        var request = ReceivedRequest.of(http.getRequestMethod(), http.getRequestURI(), http.getRequestHeaders(), body)
                .route("/orders/{id}/pay");
        Response response = guard.answer(
                request, () -> Response.of(201).body("application/json", "{\"paid\":\"" + id + "\",\"by\":\"java\"}"));
        http.getResponseHeaders().putAll(response.headers());
        http.sendResponseHeaders(response.status(), response.body().length);
        try (var out = http.getResponseBody()) {
            out.write(response.body());
        }
    }
}
