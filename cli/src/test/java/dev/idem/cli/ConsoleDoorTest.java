package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The options of {@code idem serve} that are about the console. */
class ConsoleDoorTest {
    private static final Pattern SIGNED_IN = Pattern.compile("(http://127\\.0\\.0\\.1:\\d+)/#code=(\\S+)");

    @TempDir
    Path folder;

    private InProcess shell;

    @BeforeEach
    void open() {
        shell = new InProcess(folder);
        shell.env.put("IDEM_TOKENS", folder.resolve("tokens.json").toString());
    }

    @Test
    void itOpensABrowserThatIsSignedInOnce() throws Exception {
        Path seen = folder.resolve("seen");
        Path browser = folder.resolve("bin/xdg-open");
        Files.createDirectories(browser.getParent());
        Files.writeString(
                browser, "#!/bin/sh\nprintf '%s' \"$*\" > '" + seen + "~' && mv '" + seen + "~' '" + seen + "'\n");
        assertThat(browser.toFile().setExecutable(true)).isTrue();
        shell.env.put("PATH", browser.getParent() + ":" + shell.env.get("PATH"));
        shell.env.put("DISPLAY", ":0");
        FutureTask<Ran> serving = new FutureTask<>(() -> shell.idem("serve", "--listen", "127.0.0.1:0", "--open"));
        Thread server = new Thread(serving);
        server.start();
        try {
            Until.isTrue("a browser is started", () -> Files.exists(seen) || serving.isDone());
            Matcher url = SIGNED_IN.matcher(Files.readString(seen));
            assertThat(url.matches()).isTrue();
            String form = "{\"code\":\"" + url.group(2) + "\"}";
            assertThat(signIn(url.group(1), form).statusCode()).isEqualTo(200);
            assertThat(signIn(url.group(1), form).statusCode()).isEqualTo(401);
        } finally {
            shell.signals.receive("TERM", 15);
            server.join();
        }
        String told = serving.get().err();
        assertThat(told).contains(Files.readString(seen));
        assertThat(told)
                .doesNotContain(Files.readString(folder.resolve("token")).strip());
    }

    private static HttpResponse<String> signIn(String server, String form) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/console/sign-in"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(form))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @Test
    void withoutTheFirstTokenItOpensNothing() {
        shell.idem("token", "add", "--name", "ci", "--rights", "read", "--scopes", "*");
        Ran ran = shell.idem("serve", "--listen", "127.0.0.1:0", "--open");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("--open signs in with the token 'first'", "Start without --open");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"o\":{\"titel\":\"x\"}} | in operations.json o.titel is not known",
                "{\"o\":{\"link\":\"http://x/\"}} | in operations.json o.link must be https://",
                "{\"o\":{\"link\":\"https://x/{id}\"}} | in operations.json o.link has {id}, which is not known",
                "nonsense | in operations.json it is no JSON",
            })
    void wrongOperationsAreRefused(String json, String why) throws IOException {
        Files.writeString(folder.resolve("operations.json"), json);
        Ran ran = shell.idem("serve", "--listen", "127.0.0.1:0", "--operations", "operations.json", "--dry-run");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("--operations: " + why);
    }

    @Test
    void operationsThatAreNotThereAreRefused() {
        Ran ran = shell.idem("serve", "--listen", "127.0.0.1:0", "--operations", "none.json");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("--operations: there is no file none.json");
    }

    @Test
    void rightOperationsAreTaken() throws IOException {
        Files.writeString(folder.resolve("operations.json"), "{\"charge\":{\"title\":\"Charge\"}}");
        Ran ran = shell.idem("serve", "--listen", "127.0.0.1:0", "--operations", "operations.json", "--dry-run");
        assertThat(ran.exit()).as(ran.err()).isZero();
    }

    /** The console is on the network alone. */
    @Test
    void bothGoWithListen() {
        for (List<String> option : List.of(List.of("--open"), List.of("--operations", "x.json"))) {
            List<String> words = new java.util.ArrayList<>(List.of("serve"));
            words.addAll(option);
            Ran ran = shell.idem(words.toArray(String[]::new));
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.err()).contains("--open and --operations go with --listen");
        }
    }
}
