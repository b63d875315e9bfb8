package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.idem.cli.Idems.Started;
import dev.idem.testkit.Until;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code idem serve --listen} as processes that a user starts. */
class ServeNetworkIT extends ProcessCase {
    private static final Pattern PLACE = Pattern.compile("serving .* at (https?://\\S+)\n");
    private static final Pattern CURL = Pattern.compile("\n  (curl .*)\n");
    private static final String CLAIM =
            "{\"operation\":\"o\",\"key\":\"k\",\"attempt_id\":\"0123456789abcdef0123456789abcdef\"}";

    private final HttpClient http = HttpClient.newHttpClient();

    private Started serve(String... more) {
        String[] words = new String[more.length + 5];
        System.arraycopy(
                new String[] {"serve", "--listen", "127.0.0.1:0", "--ledger", "sqlite:" + home.resolve("idem.db")},
                0,
                words,
                0,
                5);
        System.arraycopy(more, 0, words, 5, more.length);
        return serving(idems.start(words));
    }

    private static Started serving(Started server) {
        Until.isTrue("it serves", () -> {
            assertThat(server.process.isAlive()).as(server.stderr()).isTrue();
            return CURL.matcher(server.stderr()).find();
        });
        return server;
    }

    private static String told(Started server, Pattern what) {
        Matcher matcher = what.matcher(server.stderr());
        assertThat(matcher.find()).as(server.stderr()).isTrue();
        return matcher.group(1);
    }

    private Path state() {
        return home.resolve("state/idem");
    }

    private HttpRequest post(Started server, String method, String body, String secret) {
        return HttpRequest.newBuilder(URI.create(told(server, PLACE) + "/v1/" + method))
                .header("Authorization", "Bearer " + secret)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private int status(Started server, String secret) {
        try {
            return http.send(post(server, "hello", "{}", secret), BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private String shell(String line) throws Exception {
        Process process = new ProcessBuilder("sh", "-c", line + " 2>&1")
                .directory(home.toFile())
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return text;
    }

    private void assumeThere(String program) throws Exception {
        assumeTrue(!shell("command -v " + program).isEmpty(), program + " is not installed");
    }

    @Test
    void thePrintedLineWorksAndTheSecretsAreForTheUserAlone() throws Exception {
        assumeThere("curl");
        Started server = serve();
        assertThat(shell(told(server, CURL) + " -s")).contains("\"answer\":\"hello\"");
        for (String file : new String[] {"tokens.json", "token"}) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state().resolve(file))))
                    .isEqualTo("rw-------");
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state())))
                .isEqualTo("rwx------");
        assertThat(server.stderr())
                .doesNotContain(Files.readString(state().resolve("token")).strip());
    }

    @Test
    @Tag("proof")
    void twoServersHearOfTokens() throws Exception {
        Started one = serve();
        Started two = serve();
        String first = Files.readString(state().resolve("token")).strip();
        assertThat(status(one, first)).isEqualTo(200);
        assertThat(status(two, first)).isEqualTo(200);
        String ci = idems.run("token", "add", "--name", "ci", "--rights", "read", "--scopes", "acme/*")
                .out()
                .strip();
        Until.isTrue("both accept it", () -> status(one, ci) == 200 && status(two, ci) == 200);
        assertThat(idems.run("token", "revoke", "ci").exit()).isZero();
        Until.isTrue("both refuse it", () -> status(one, ci) == 401 && status(two, ci) == 401);
        assertThat(status(one, first)).isEqualTo(200);
    }

    @Test
    void aRunningRequestIsAnsweredBeforeTheEnd() throws Exception {
        Started server = serve();
        String first = Files.readString(state().resolve("token")).strip();
        String granted = http.send(post(server, "claim", CLAIM, first), BodyHandlers.ofString())
                .body();
        String fence = granted.replaceAll("(?s).*\"fence\":\"([^\"]+)\".*", "$1");
        String wait = "{\"operation\":\"o\",\"key\":\"k\",\"fence\":\"" + fence + "\"}";
        URI place = URI.create(told(server, PLACE));
        try (Socket waiting = new Socket(place.getHost(), place.getPort())) {
            waiting.getOutputStream()
                    .write(("POST /v1/wait HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + first
                                    + "\r\nContent-Type: application/json\r\nContent-Length: " + wait.length()
                                    + "\r\n\r\n" + wait)
                            .getBytes(StandardCharsets.UTF_8));
            // A request that was sent later is answered, so that one is running.
            assertThat(status(server, first)).isEqualTo(200);
            Idems.signal("TERM", server.process.pid());
            assertThat(new String(waiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .contains("\"in_flight\"");
        }
        assertThat(server.end().exit()).isEqualTo(143);
        assertThat(server.stderr()).contains("idem: ending").doesNotContain("Exception");
    }

    @Test
    void aLackOfFileDescriptorsStandsInTheLogAndPasses() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 200 && exec \"$@\"", "sh"));
        command.addAll(Idems.command(List.of(), "serve", "--listen", "127.0.0.1:0", "--ledger", "memory:"));
        Started server = serving(idems.start(Redirect.from(new File("/dev/null")), command));
        String first = Files.readString(state().resolve("token")).strip();
        URI place = URI.create(told(server, PLACE));
        List<Socket> crowd = new ArrayList<>();
        try {
            for (int i = 0; i < 250; i++) {
                crowd.add(new Socket(place.getHost(), place.getPort()));
            }
            Until.isTrue("it is said", () -> server.stderr().contains("no connection can be accepted: "));
        } finally {
            for (Socket each : crowd) {
                each.close();
            }
        }
        assertThat(status(server, first)).isEqualTo(200);
        Idems.signal("TERM", server.process.pid());
        assertThat(server.end().exit()).isEqualTo(143);
    }

    @Test
    void thePrintedLineTrustsACertificateOfOnesOwn() throws Exception {
        assumeThere("curl");
        assumeThere("openssl");
        shell("openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 3 -subj /CN=localhost"
                + " -addext subjectAltName=IP:127.0.0.1");
        Started server = serve("--tls-cert", "cert.pem", "--tls-key", "key.pem");
        assertThat(told(server, PLACE)).startsWith("https://");
        assertThat(shell(told(server, CURL) + " -s")).contains("\"answer\":\"hello\"");
    }

    @Test
    @Tag("proof")
    void whyAllAreRefusedStandsInTheLog() throws Exception {
        Started server = serve();
        String first = Files.readString(state().resolve("token")).strip();
        Files.setPosixFilePermissions(state().resolve("tokens.json"), PosixFilePermissions.fromString("rw-rw-rw-"));
        Until.isTrue("it is refused", () -> status(server, first) == 429);
        assertThat(server.stderr()).contains("others may open " + state().resolve("tokens.json"), "chmod 600");
    }
}
