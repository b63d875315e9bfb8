package dev.idem.server.http;

import dev.idem.server.Access;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.TokenFile;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.SettableClocks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A server with a console, and a client that does what a page does. */
abstract class ConsoleCase {
    @TempDir
    Path folder;

    final HttpClient client = HttpClient.newHttpClient();
    final SettableClocks clocks = new SettableClocks();
    TokenFile tokens;
    String all;
    Api api;
    NetworkCarrier carrier;
    private Ledger ledger;
    private final List<NetworkCarrier> carriers = new ArrayList<>();

    @BeforeEach
    void open() throws IOException {
        tokens = tokens("tokens.json");
        all = tokens.add("ann", Access.ALL, null);
        ledger = Ledgers.open("memory:");
        api = new Api(ledger, "memory:", Host.system(), "1.2.3");
        carrier = start(tokens, null);
    }

    @AfterEach
    void close() throws IOException {
        for (NetworkCarrier each : carriers) {
            each.close();
        }
        api.close();
        ledger.close();
    }

    TokenFile tokens(String name) {
        return new TokenFile(folder.resolve(name), clocks);
    }

    NetworkCarrier start(TokenFile accepted, @Nullable URI publicUrl) throws IOException {
        NetworkCarrier started = NetworkCarrier.start(
                api,
                new NetworkCarrier.Place("127.0.0.1", 0, null, publicUrl, "X-Real-IP"),
                accepted,
                Operations.read("{\"charge\":{\"title\":\"Charge\"}}"),
                clocks,
                Duration.ofSeconds(60));
        carriers.add(started);
        return started;
    }

    /** What a browser has after a sign-in. */
    record Session(NetworkCarrier at, String cookie, String second) {
        String[] headers() {
            return new String[] {"Cookie", cookie, "X-Idem-Console", second};
        }

        Session with(String otherCookie, String otherSecond) {
            return new Session(at, otherCookie, otherSecond);
        }

        Session at(NetworkCarrier other) {
            return new Session(other, cookie, second);
        }
    }

    Session signIn(String secret) throws Exception {
        return session(carrier, post(carrier, "/console/sign-in", "{\"token\":\"" + secret + "\"}"));
    }

    static Session session(NetworkCarrier at, HttpResponse<String> answer) {
        String set = answer.headers().firstValue("Set-Cookie").orElseThrow();
        return new Session(
                at,
                set.substring(0, set.indexOf(';')),
                answer.body().replaceAll("(?s).*\"second\":\"([^\"]+)\".*", "$1"));
    }

    HttpResponse<String> call(Session session, String method, String body) throws Exception {
        return post(session.at(), "/v1/" + method, body, session.headers());
    }

    /** A session that is none is answered like a caller without a token. */
    int status(Session session) throws Exception {
        return call(session, "hello", "{}").statusCode();
    }

    HttpResponse<String> post(NetworkCarrier at, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                request(at, path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return send(request, headers);
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        return send(request(carrier, path), headers);
    }

    static HttpRequest.Builder request(NetworkCarrier at, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at.port() + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request, String... headers) throws Exception {
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request.build(), BodyHandlers.ofString());
    }

    static String member(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
        if (!matcher.find()) {
            throw new AssertionError("no " + name + " in " + json);
        }
        return matcher.group(1);
    }
}
