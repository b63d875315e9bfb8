package dev.idem.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.server.Access;
import dev.idem.server.TokenFile;
import dev.idem.testkit.Until;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in by a cookie. */
class SessionsTest extends ConsoleCase {
    @Test
    void aTokenInAFormBeginsASession() throws Exception {
        HttpResponse<String> answer = post(carrier, "/console/sign-in", "{\"token\":\"" + all + "\"}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("idem_" + carrier.port() + "=")
                .endsWith("; Max-Age=43200; HttpOnly; SameSite=Strict; Path=/");
        assertThat(answer.body() + answer.headers().map()).doesNotContain(all);

        HttpResponse<String> hello = call(session(carrier, answer), "hello", "{}");

        assertThat(hello.statusCode()).isEqualTo(200);
        assertThat(hello.body()).contains("\"rights\":[\"read\",\"payloads\",\"act\",\"operate\"]");
        assertThat(hello.headers().map()).doesNotContainKey("Set-Cookie");
    }

    @Test
    void theCookieOfAnEncryptedServerIsSecureAndBelongsToItsPath() throws Exception {
        NetworkCarrier shown = start(tokens, URI.create("https://ops.example.com/idem/"));
        HttpResponse<String> answer = post(shown, "/console/sign-in", "{\"token\":\"" + all + "\"}");
        assertThat(answer.headers().firstValue("Set-Cookie").orElseThrow())
                .matches("idem_[0-9a-f]{12}=.*; Path=/idem/; Secure");
    }

    @Test
    void aCookieWithoutItsSecondValueIsNothing() throws Exception {
        Session session = signIn(all);
        assertThat(status(session)).isEqualTo(200);
        assertThat(post(carrier, "/v1/hello", "{}", "Cookie", session.cookie()).statusCode())
                .isEqualTo(401);
        assertThat(status(session.with(session.cookie(), ""))).isEqualTo(401);
        assertThat(status(session.with(session.cookie(), "x"))).isEqualTo(401);
        assertThat(status(session.with(session.cookie(), signIn(all).second()))).isEqualTo(401);
        assertThat(post(carrier, "/v1/hello", "{}", "X-Idem-Console", session.second())
                        .statusCode())
                .isEqualTo(401);
        assertThat(get("/v1/events", "Cookie", session.cookie()).statusCode()).isEqualTo(401);
    }

    /** Of each part one character is another one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aCookieThatWasChangedIsNothing(int part) throws Exception {
        Session session = signIn(all);
        String[] parts = session.cookie().split("[=.]");
        String changed = (parts[part + 1].charAt(3) == '1' ? "2" : "1");
        String value = parts[part + 1].substring(0, 3) + changed + parts[part + 1].substring(4);
        assertThat(status(session.with(session.cookie().replace(parts[part + 1], value), session.second())))
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", ".", "...", "a.b.c.d", "a.1.c."})
    void rubbishIsNothing(String value) throws Exception {
        Session session = signIn(all);
        assertThat(status(session.with("idem_" + carrier.port() + "=" + value, session.second())))
                .isEqualTo(401);
    }

    @Test
    void aSessionLastsTwelveHours() throws Exception {
        Session session = signIn(all);
        clocks.advance(Duration.ofHours(12).minusSeconds(2));
        assertThat(status(session)).isEqualTo(200);
        clocks.advance(Duration.ofSeconds(2));
        assertThat(status(session)).isEqualTo(401);
    }

    /** A clock that is set back would make it last longer. */
    @Test
    void aSessionThatHasNotBegunIsNothing() throws Exception {
        Session session = signIn(all);
        clocks.advance(Duration.ofMinutes(6).negated());
        assertThat(status(session)).isEqualTo(401);
    }

    @Test
    void aRevokedTokenEndsItsSessions() throws Exception {
        Session session = signIn(tokens.add("bob", Access.ALL, null));
        assertThat(status(session)).isEqualTo(200);
        tokens.revoke("bob");
        assertThat(status(session)).isEqualTo(401);
    }

    @Test
    void anExpiredTokenEndsItsSessions() throws Exception {
        Session session = signIn(tokens.add("bob", Access.ALL, Duration.ofHours(1)));
        assertThat(status(session)).isEqualTo(200);
        clocks.advance(Duration.ofHours(1));
        assertThat(status(session)).isEqualTo(401);
    }

    @Test
    void aSessionMayDoWhatItsTokenMayNow() throws Exception {
        Session session = signIn(tokens.add("bob", Access.ALL, null));
        String claim = "{\"scope\":\"acme/x\",\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\""
                + "0123456789abcdef".repeat(2) + "\"}";
        assertThat(call(session, "claim", claim).statusCode()).isEqualTo(200);

        String before = Files.readString(tokens.path());
        int bob = before.indexOf("\"bob\"");
        Files.writeString(
                tokens.path(),
                before.substring(0, bob)
                        + before.substring(bob)
                                .replaceFirst("\"rights\":\\[[^]]*]", "\"rights\":[\"read\"]")
                                .replaceFirst("\"scopes\":\\[[^]]*]", "\"scopes\":[\"acme/*\"]"));

        Until.isTrue("it is refused", () -> code(session, "claim", claim) == 403);
        String found = "{\"scope\":\"acme/x\",\"operation\":\"o\",\"key\":\"k\"}";
        assertThat(call(session, "find", found).body()).contains("in_progress");
        assertThat(call(session, "find", found.replace("acme", "other")).statusCode())
                .isEqualTo(403);
        assertThat(call(session, "result", found).statusCode()).isEqualTo(403);
        assertThat(get("/console/settings", session.headers()).body())
                .contains("\"rights\":[\"read\"]", "\"scopes\":[\"acme/*\"]");
    }

    private int code(Session session, String method, String body) {
        try {
            return call(session, method, body).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void instancesThatShareTheTokensShareTheSessions() throws Exception {
        URI shown = URI.create("https://ops.example.com/");
        NetworkCarrier one = start(tokens, shown);
        NetworkCarrier two = start(tokens("tokens.json"), shown);
        Session session = session(one, post(one, "/console/sign-in", "{\"token\":\"" + all + "\"}"));
        assertThat(status(session)).isEqualTo(200);
        assertThat(status(session.at(two))).isEqualTo(200);
    }

    @Test
    void aServerOfAnotherPortTakesNoCookieOfThisOne() throws Exception {
        NetworkCarrier other = start(tokens, null);
        Session session = signIn(all);
        assertThat(status(session.at(other))).isEqualTo(401);
        // Also by the other one's name.
        String renamed = session.cookie().replace("idem_" + carrier.port(), "idem_" + other.port());
        assertThat(status(session.at(other).with(renamed, session.second()))).isEqualTo(401);
    }

    @Test
    void aServerWithOtherTokensTakesNoCookieOfThisOne() throws Exception {
        URI shown = URI.create("https://ops.example.com/");
        NetworkCarrier one = start(tokens, shown);
        TokenFile others = tokens("others.json");
        // It knows the same token, so that only the signature tells.
        Files.copy(tokens.path(), others.path());
        NetworkCarrier two = start(others, shown);
        Session session = session(one, post(one, "/console/sign-in", "{\"token\":\"" + all + "\"}"));
        assertThat(status(session.at(two))).isEqualTo(401);
    }

    @Test
    void aCookieThatSomebodyElseAddedIsIgnored() throws Exception {
        Session session = signIn(all);
        String name = "idem_" + carrier.port();
        assertThat(status(session.with(name + "=x; " + session.cookie(), session.second())))
                .isEqualTo(200);
    }

    @Test
    void signingOutEndsTheSessionHere() throws Exception {
        Session session = signIn(all);
        Session other = signIn(all);
        HttpResponse<String> out = post(carrier, "/console/sign-out", "{}", session.headers());
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.headers().firstValue("Set-Cookie").orElseThrow())
                .startsWith("idem_" + carrier.port() + "=; Max-Age=0;");
        assertThat(status(session)).isEqualTo(401);
        assertThat(status(other)).isEqualTo(200);
        assertThat(post(carrier, "/console/sign-out", "{}").statusCode()).isEqualTo(200);
    }

    @Test
    void aRevokedTokenEndsAnOpenStream() throws Exception {
        Session session = signIn(tokens.add("bob", Access.ALL, null));
        try (BufferedReader events = events(session)) {
            tokens.revoke("bob");
            assertThat(rest(events)).doesNotContain("event:");
        }
    }

    @Test
    void signingOutEndsAnOpenStream() throws Exception {
        Session session = signIn(all);
        try (BufferedReader events = events(session)) {
            post(carrier, "/console/sign-out", "{}", session.headers());
            assertThat(rest(events)).doesNotContain("event:");
        }
    }

    @Test
    void theEndOfASessionEndsAnOpenStream() throws Exception {
        Session session = signIn(all);
        try (BufferedReader events = events(session)) {
            clocks.advance(Duration.ofHours(12));
            assertThat(rest(events)).doesNotContain("event:");
        }
    }

    /** A stream whose first line has come. */
    private BufferedReader events(Session session) throws Exception {
        HttpResponse<InputStream> answer = client.send(
                request(carrier, "/v1/events").headers(session.headers()).build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
        assertThat(lines.readLine()).isEqualTo(": listening");
        return lines;
    }

    /** What comes until the other side ends it. */
    private static List<String> rest(BufferedReader lines) {
        try (lines) {
            return lines.lines().toList();
        } catch (UncheckedIOException | IOException e) {
            throw new AssertionError("it was cut off", e);
        }
    }

    @Test
    void aCodeIsGoodOnce() throws Exception {
        String code = code(carrier);
        Session session = session(carrier, post(carrier, "/console/sign-in", "{\"code\":\"" + code + "\"}"));
        assertThat(status(session)).isEqualTo(200);
        assertThat(post(carrier, "/console/sign-in", "{\"code\":\"" + code + "\"}")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aCodeIsGoodForAMinute() throws Exception {
        String early = code(carrier);
        String late = code(carrier);
        clocks.advance(Duration.ofMillis(59_999));
        assertThat(post(carrier, "/console/sign-in", "{\"code\":\"" + early + "\"}")
                        .statusCode())
                .isEqualTo(200);
        clocks.advance(Duration.ofMillis(1));
        assertThat(post(carrier, "/console/sign-in", "{\"code\":\"" + late + "\"}")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aCodeOfARevokedTokenIsNothing() throws Exception {
        String code = code(carrier);
        tokens.revoke("ann");
        assertThat(post(carrier, "/console/sign-in", "{\"code\":\"" + code + "\"}")
                        .statusCode())
                .isEqualTo(401);
    }

    @Test
    void aCodeOpensNothingElse() throws Exception {
        String code = code(carrier);
        assertThat(post(carrier, "/v1/hello", "{}", "Authorization", "Bearer " + code)
                        .statusCode())
                .isEqualTo(401);
        assertThat(post(carrier, "/console/sign-in", "{\"token\":\"" + code + "\"}")
                        .statusCode())
                .isEqualTo(401);
    }

    /** The part behind # is sent to no server. */
    private String code(NetworkCarrier at) throws IOException {
        URI url = at.signInUrl(tokens.list().get(0));
        assertThat(url.toString()).startsWith("http://127.0.0.1:" + at.port() + "/#code=");
        return url.getFragment().substring("code=".length());
    }

    @Test
    void aCodeLeadsToWhereTheServerIsShown() throws IOException {
        assertThat(start(tokens, URI.create("https://ops.example.com/idem/"))
                        .signInUrl(tokens.list().get(0))
                        .toString())
                .startsWith("https://ops.example.com/idem/#code=");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"token\":1}",
                "{\"token\":\"SECRET\",\"code\":\"y\"}",
                "{\"token\":\"SECRET\"",
                "\"SECRET\"",
                "token=SECRET"
            })
    void otherFormsAreRefusedWithoutWhatTheyHold(String body) throws Exception {
        HttpResponse<String> answer = post(carrier, "/console/sign-in", body.replace("SECRET", all));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("\"malformed\"").doesNotContain(all);
        assertThat(answer.headers().map()).doesNotContainKey("Set-Cookie");
    }

    @Test
    void aWrongTokenIsRefused() throws Exception {
        HttpResponse<String> answer = post(carrier, "/console/sign-in", "{\"token\":\"" + all + "x\"}");
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.body()).contains("\"unauthorised\"").doesNotContain(all);
        assertThat(answer.headers().map()).doesNotContainKey("Set-Cookie");
    }

    @Test
    void attemptsAreLimited() throws Exception {
        for (int i = 0; i < 10; i++) {
            assertThat(post(carrier, "/console/sign-in", "{\"token\":\"guess\"}")
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(post(carrier, "/console/sign-in", "{\"token\":\"guess\"}").statusCode())
                .isEqualTo(429);
        assertThat(status(signIn(all))).isEqualTo(200);
        clocks.advance(Duration.ofSeconds(1));
        assertThat(post(carrier, "/console/sign-in", "{\"token\":\"guess\"}").statusCode())
                .isEqualTo(401);
    }

    /** Behind a proxy all come from one address. */
    @Test
    void attemptsAreCountedByTheProxysAddress() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(post(carrier, "/console/sign-in", "{\"token\":\"guess\"}", "X-Real-IP", "10.0.0." + i)
                            .statusCode())
                    .isEqualTo(401);
        }
    }

    /** Anybody kept the operators out. */
    @Test
    void rightTokensAreNotCounted() throws Exception {
        for (int i = 0; i < 30; i++) {
            assertThat(status(signIn(all))).isEqualTo(200);
        }
    }

    @Test
    void aLargeFormIsRefused() throws Exception {
        assertThat(post(carrier, "/console/sign-in", "{\"token\":\"" + "x".repeat(5000) + "\"}")
                        .statusCode())
                .isEqualTo(413);
    }

    /** The forms of other pages have a media type of their own. */
    @Test
    void aFormThatIsNotJsonIsRefused() throws Exception {
        for (String path : List.of("/console/sign-in", "/console/sign-out")) {
            assertThat(send(
                                    request(carrier, path)
                                            .POST(java.net.http.HttpRequest.BodyPublishers.ofString(
                                                    "{\"token\":\"" + all + "\"}")),
                                    "Content-Type",
                                    "text/plain")
                            .statusCode())
                    .isEqualTo(415);
        }
    }

    @Test
    void theKeyIsForItsUserAlone() throws Exception {
        Path key = folder.resolve("tokens.json.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> start(tokens, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("chmod 600 " + key);
    }

    @Test
    void aKeyThatIsNoneIsNotUsed() throws Exception {
        Files.writeString(folder.resolve("tokens.json.key"), "c2hvcnQ=");
        assertThatThrownBy(() -> start(tokens, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tokens.json.key is no key");
    }

    @Test
    void whoDecidesIsWhoHasSignedIn() throws Exception {
        Session session = signIn(all);
        String id = "0123456789abcdef".repeat(2);
        String granted = call(session, "claim", "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"" + id + "\"}")
                .body();
        call(session, "settle", "{\"ticket\":\"" + member(granted, "ticket") + "\",\"as\":\"in_doubt\"}");
        String resolve = "{\"operation\":\"o\",\"key\":\"k\",\"fence\":\"" + member(granted, "fence")
                + "\",\"state\":\"in_doubt\",\"as\":\"complete\",\"why\":\"seen\",\"request_id\":\"request-1\"}";
        assertThat(call(session, "resolve", resolve).body()).contains("\"done\"");
        assertThat(call(session, "find", "{\"operation\":\"o\",\"key\":\"k\"}").body())
                .contains("resolved by ann: seen");
    }
}
