package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.server.console.Console;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a browser gets of the console, and what it does not. */
class ConsoleHandlerTest extends ConsoleCase {
    private static final String LIT = "/lib/lit-html/lit-html.js";

    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html"})
    void thePageIsOpenToEverybody(String path) throws Exception {
        HttpResponse<String> page = get(path);
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).startsWith("<!doctype html>");
        assertThat(page.headers().firstValue("Content-Type")).hasValue("text/html;charset=utf-8");
        assertThat(page.headers().firstValue("Cache-Control")).hasValue("no-store");
        assertThat(page.headers().allValues("Content-Security-Policy"))
                .containsExactly(Console.CONTENT_SECURITY_POLICY);
        assertThat(page.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
        assertThat(page.headers().firstValue("Referrer-Policy")).hasValue("no-referrer");
        assertThat(page.headers().firstValue("Cross-Origin-Resource-Policy")).hasValue("same-origin");
        assertThat(page.headers().map()).doesNotContainKey("Set-Cookie");
    }

    @Test
    void aFileIsSentAgainOnlyIfItChanged() throws Exception {
        HttpResponse<String> file = get(LIT);
        assertThat(file.statusCode()).isEqualTo(200);
        assertThat(file.headers().firstValue("Content-Type")).hasValue("text/javascript;charset=utf-8");
        assertThat(file.headers().firstValue("Cache-Control")).hasValue("no-cache");
        String tag = file.headers().firstValue("ETag").orElseThrow();

        HttpResponse<String> again = get(LIT, "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(get(LIT, "If-None-Match", "\"other\"").statusCode()).isEqualTo(200);
    }

    @Test
    void aHeadHasNoBody() throws Exception {
        HttpResponse<String> head = send(request(carrier, LIT).method("HEAD", BodyPublishers.noBody()));
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.headers().firstValue("Content-Length"))
                .hasValue(String.valueOf(get(LIT).body().getBytes(StandardCharsets.UTF_8).length));
    }

    /** Without a token each is answered like any other unknown path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../",
                "/..",
                "/%2e%2e/",
                "/%2e%2e/index.html",
                "/lib/../index.html",
                "/lib/..",
                "/lib/lit-html/..%2f..%2findex.html",
                "/lib/lit-html/%2e%2e/%2e%2e/index.html",
                "//index.html",
                "/index.html/",
                "/index.html;x=1",
                "/./index.html",
                "/index.html%00",
                "/lib/",
                "/lib/lit-html/package.json",
                "/Console.class",
                "/META-INF/MANIFEST.MF",
                "/console",
                "/console/",
                "/console/none",
                "/console/sign-in",
            })
    void aPathLeadsToNoOtherFile(String path) throws Exception {
        String raw = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        // Where the path means one of its files, it is that file.
        if (raw.startsWith("HTTP/1.1 200")) {
            assertThat(raw).endsWith(get("/").body());
        } else {
            assertThat(raw).matches("(?s)HTTP/1.1 40[01].*");
        }
    }

    private String raw(String request) throws IOException {
        try (SocketChannel channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", carrier.port()))) {
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.UTF_8)));
            StringBuilder text = new StringBuilder();
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (channel.read(buffer) >= 0) {
                buffer.flip();
                text.append(StandardCharsets.UTF_8.decode(buffer));
                buffer.clear();
            }
            return text.toString();
        }
    }

    /** What leads to the console leads to nothing of the API. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/hello",
                "/v1/stats",
                "/v1/events",
                "/v1/hello.js",
                "/v1/index.html",
                "/index.html/v1/hello",
                "/console/settings/v1/hello",
                "/console/v1/hello",
                "/lib/lit-html/../../v1/hello",
                "/console/../v1/hello"
            })
    void theApiIsNotOpen(String path) throws Exception {
        String host = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
        assertThat(raw("GET " + path + host + "\r\n")).matches("(?s)HTTP/1.1 40[01].*");
        assertThat(raw("POST " + path + host + "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"))
                .matches("(?s)HTTP/1.1 40[01].*");
    }

    @Test
    void theSettingsTellAStrangerNothing() throws Exception {
        for (String[] headers : new String[][] {{}, {"Authorization", "Bearer x"}, {"X-Idem-Console", "x"}}) {
            HttpResponse<String> settings = get("/console/settings", headers);
            assertThat(settings.statusCode()).isEqualTo(200);
            assertThat(settings.body().strip())
                    .isEqualTo("{\"signed_in\":false,\"sign_in\":\"token\",\"server\":\"1.2.3\"}");
            assertThat(settings.headers().firstValue("Content-Security-Policy"))
                    .hasValue("default-src 'none'; frame-ancestors 'none'");
        }
    }

    @Test
    void theSettingsTellWhoIsSignedIn() throws Exception {
        Session session = signIn(all);
        assertThat(get("/console/settings", session.headers()).body().strip())
                .isEqualTo("{\"signed_in\":true,\"sign_in\":\"token\",\"server\":\"1.2.3\",\"who\":\"ann\","
                        + "\"rights\":[\"read\",\"payloads\",\"act\",\"operate\"],\"scopes\":[\"*\"],"
                        + "\"ledger\":\"memory:\",\"operations\":{\"charge\":{\"title\":\"Charge\"}}}");
        assertThat(get("/console/settings", "Cookie", session.cookie()).body()).contains("\"signed_in\":false");
    }

    /** As browsers send it for a page of another origin, also of another port of this host. */
    @ParameterizedTest
    @CsvSource({"same-site", "cross-site"})
    void aPageOfAnotherOriginGetsNothing(String site) throws Exception {
        Session session = signIn(all);
        String[] sent = {
            "Cookie",
            session.cookie(),
            "X-Idem-Console",
            session.second(),
            "Sec-Fetch-Site",
            site,
            "Sec-Fetch-Mode",
            "cors"
        };
        for (String path : new String[] {"/console/settings", "/v1/events", "/", LIT}) {
            assertThat(get(path, sent).statusCode()).as(path).isEqualTo(403);
        }
        for (String path : new String[] {"/v1/hello", "/v1/resolve", "/console/sign-in", "/console/sign-out"}) {
            HttpResponse<String> answer = post(carrier, path, "{}", sent);
            assertThat(answer.statusCode()).as(path).isEqualTo(403);
            assertThat(answer.headers().map()).doesNotContainKey("Access-Control-Allow-Origin");
        }
        assertThat(status(session)).isEqualTo(200);
    }

    /** Without this a link in a chat would show an error. */
    @Test
    void aLinkOfAnotherSiteLeadsToThePage() throws Exception {
        String[] visit = {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"};
        assertThat(get("/", visit).statusCode()).isEqualTo(200);
        assertThat(get("/console/settings", visit).statusCode()).isEqualTo(403);
        assertThat(get("/v1/events", visit).statusCode()).isEqualTo(403);
        visit[5] = "iframe";
        assertThat(get("/", visit).statusCode()).isEqualTo(403);
    }

    @Test
    void aNameThatIsNotItsOwnGetsNoPage() throws Exception {
        assertThat(raw("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 403");
    }

    @Test
    void behindAProxyItIsBelowItsPath() throws Exception {
        carrier = start(tokens, URI.create("https://ops.example.com/idem"));
        HttpResponse<String> led = get("/idem");
        assertThat(led.statusCode()).isEqualTo(302);
        assertThat(led.headers().firstValue("Location")).hasValue("/idem/");
        assertThat(get("/idem/").body()).startsWith("<!doctype html>");
        assertThat(get("/idem" + LIT).statusCode()).isEqualTo(200);
        assertThat(status(signIn(all))).isEqualTo(200);
    }
}
