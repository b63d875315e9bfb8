package dev.idem.clikit.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Grades real shell scripts by really running them. */
class ScoreIT {
    /** Sends, whatever it is told. */
    private static final String NAIVE = """
            echo "$*" >> "$SCORE_WORLD/sent"
            echo sent
            """;

    /** Remembers keys, and says nothing about it. */
    private static final String WITH_KEYS = """
            key=; for word in "$@"; do [ "$last" = --idempotency-key ] && key=$word; last=$word; done
            if [ -n "$key" ] && [ -e "$SCORE_KEYS/$key" ]; then echo sent; exit 0; fi
            echo "$*" >> "$SCORE_WORLD/sent"
            [ -n "$key" ] && touch "$SCORE_KEYS/$key"
            echo sent
            """;

    /** Remembers keys, and says what it did. */
    private static final String WITH_EFFECTS = WITH_KEYS
            .replace("then echo sent", "then echo '{\"ok\":true,\"effect\":\"noop\"}'")
            .replaceFirst("echo sent\\n$", "echo '{\"ok\":true,\"data\":{\"effect\":\"created\"}}'\n");

    @TempDir
    Path folder;

    private Path world;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void makeTheWorld() throws IOException {
        world = Files.createDirectory(folder.resolve("world"));
        Files.createDirectory(folder.resolve("keys"));
    }

    @Test
    void aNaiveScriptScoresNothing() throws IOException {
        assertThat(score(NAIVE)).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("score 0 of 3")
                .contains("sent changed")
                .contains("for the next point:");
        // The dry run, which it took for a real one, and two calls; none of those that could not have helped it.
        assertThat(Files.readAllLines(world.resolve("sent"))).hasSize(3);
    }

    @Test
    void aScriptThatKnowsKeysScoresOne() throws IOException {
        assertThat(score(WITH_KEYS)).isEqualTo(1);
    }

    @Test
    void aScriptThatAlsoTellsItsEffectScoresTwo() throws IOException {
        assertThat(score(WITH_EFFECTS)).isEqualTo(2);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("add --dry-run", "demand a key", "refuse a key that comes with other arguments");
    }

    @Test
    void aProbeSeesWhatAFolderDoesNot() throws IOException {
        Path script = write(NAIVE);
        List<String> args =
                List.of("--yes", "--probe", "cat " + world + "/sent", "--", "sh", script.toString(), "--to", "ann");

        assertThat(run(args, "")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("the probe's answer changed");
    }

    @Test
    void withoutConsentNothingRuns() throws IOException {
        Path script = write(NAIVE);

        assertThat(run(List.of("--", "sh", script.toString(), "--to", "ann"), "no\n"))
                .isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("for real", "--idempotency-key", "--dry-run");
        assertThat(world.resolve("sent")).doesNotExist();
        assertThat(run(List.of("--", "sh", script.toString(), "--to", "ann"), "yes\n"))
                .isZero();
        assertThat(world.resolve("sent")).exists();
    }

    @Test
    void aScoreThatIsTooLowMayEndTheBuild() throws IOException {
        Path script = write(NAIVE);

        assertThat(run(List.of("--yes", "--json", "--at-least", "3", "--", "sh", script.toString(), "7"), ""))
                .isEqualTo(1);
        Map<?, ?> envelope = (Map<?, ?>) Json.parse(out.toString(StandardCharsets.UTF_8));
        assertThat(envelope.get("ok")).isEqualTo(false);
    }

    @Test
    void badOptionsRunNothing() {
        assertThat(run(List.of("--yes"), "")).isEqualTo(2);
        assertThat(run(List.of("--yes", "--colour", "--", "true", "1"), "")).isEqualTo(2);
        assertThat(run(List.of("--yes", "--watch", "/no/such/folder", "--", "true", "1"), ""))
                .isEqualTo(2);
        assertThat(run(List.of("--yes", "--swap", "5=6", "--", "true", "1"), ""))
                .isEqualTo(2);
        assertThat(run(List.of("--yes", "--timeout", "soon", "--", "true", "1"), ""))
                .isEqualTo(2);
        assertThat(run(List.of("--yes", "--", "/no/such/tool", "1"), "")).isEqualTo(2);
        assertThat(run(List.of("--yes", "--", "true"), "")).isEqualTo(2);
    }

    private int score(String script) throws IOException {
        List<String> args = new ArrayList<>(List.of("--yes", "--watch", world.toString(), "--", "sh"));
        args.addAll(List.of(write(script).toString(), "--to", "ann", "--amount", "100"));
        assertThat(run(args, "")).as(err.toString(StandardCharsets.UTF_8)).isZero();
        String text = out.toString(StandardCharsets.UTF_8);
        return Integer.parseInt(text.substring("score ".length(), "score ".length() + 1));
    }

    private int run(List<String> args, String consent) {
        var in = new ByteArrayInputStream(consent.getBytes(StandardCharsets.UTF_8));
        return Score.run(args, in, out, err);
    }

    private Path write(String script) throws IOException {
        String settings = "SCORE_WORLD=" + world + "\nSCORE_KEYS=" + folder.resolve("keys") + "\n";
        return Files.writeString(folder.resolve("tool.sh"), settings + script);
    }
}
