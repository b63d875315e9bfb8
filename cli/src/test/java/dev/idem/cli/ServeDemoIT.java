package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.cli.Idems.Started;
import dev.idem.testkit.Until;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code idem serve --demo}, asked as the console asks. */
@Tag("proof")
class ServeDemoIT extends ProcessCase {
    private static final Pattern URL = Pattern.compile("serving the demo at (\\S+)");
    private static final Pattern TOKEN = Pattern.compile("token: (\\S+)");
    private static final Pattern CODE = Pattern.compile("\\S+/#code=(\\S+)");

    private final HttpClient http = HttpClient.newHttpClient();

    private Started demo;

    private static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        assertThat(matcher.find()).as(text).isTrue();
        return matcher.group(1);
    }

    private HttpResponse<String> post(String path, String body) {
        try {
            String token =
                    Files.readString(Path.of(found(TOKEN, demo.stderr()))).strip();
            HttpRequest request = HttpRequest.newBuilder(URI.create(found(URL, demo.stderr()) + path))
                    .header("Authorization", "Bearer " + token)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build();
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private List<?> asked(String method, String params, String member) {
        HttpResponse<String> answer = post("/v1/" + method, params);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return (List<?>) ((Map<?, ?>) Objects.requireNonNull(Json.parse(answer.body()))).get(member);
    }

    private List<?> entries(String filter) {
        return asked("browse", "{\"limit\":1000," + filter + "}", "entries");
    }

    @Test
    void everyStateIsThereAndNothingIsLeftBehind() throws Exception {
        Path temporary = Files.createDirectory(home.resolve("temporary"));
        demo = idems.start(
                Redirect.from(new File("/dev/null")),
                Idems.command(List.of("-Djava.io.tmpdir=" + temporary), "serve", "--demo"));
        Until.isTrue("it serves", () -> demo.stderr().contains("#code="));

        for (String state : List.of("complete", "failed", "in_doubt", "in_progress")) {
            Until.isTrue(state, () -> !entries("\"states\":[\"" + state + "\"]").isEmpty());
        }
        assertThat(entries("\"states\":[\"in_doubt\"]").toString())
                .contains("java.net.SocketException", "java.net.http.HttpTimeoutException", "it could not tell")
                .contains("ended without settling it");
        assertThat(entries("\"resolved_by\":\"ann\"")).hasSize(2);
        assertThat(asked("approvals.list", "{}", "approvals")).hasSize(2);
        assertThat(asked("poison.list", "{}", "events")).hasSize(1);
        assertThat(entries("\"scope\":\"order-1001\"").toString()).contains("replays=1");
        assertThat(asked("counts", "{}", "by_hour")).as("hours of history").hasSizeGreaterThan(7);
        Until.isTrue(
                "the killed agent goes on",
                () -> entries("\"scope\":\"checkout-77\",\"states\":[\"complete\"]")
                                .size()
                        == 3);
        Until.isTrue(
                "what it had done before replays",
                () -> entries("\"scope\":\"checkout-77\"").toString().contains("replays=1"));
        assertThat(post("/console/sign-in", "{\"code\":\"" + found(CODE, demo.stderr()) + "\"}")
                        .statusCode())
                .isEqualTo(200);

        demo.process.destroy();
        assertThat(demo.end().exit()).isEqualTo(143);
        assertThat(temporary).isEmptyDirectory();
        assertThat(home.resolve("state")).as("the user's own ledger").doesNotExist();
    }
}
