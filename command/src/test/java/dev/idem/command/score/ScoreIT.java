package dev.idem.command.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

    private static final String KEY_OPTION = "--idempotency-key";
    private static final Duration ONE_RUN = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private Path world;

    @BeforeEach
    void makeTheWorld() throws IOException {
        world = Files.createDirectory(folder.resolve("world"));
        Files.createDirectory(folder.resolve("keys"));
    }

    @Test
    void aNaiveScriptScoresNothing() throws IOException {
        assertThat(score(NAIVE))
                .startsWith("score 0 of 3")
                .contains("sent changed")
                .contains("for the next point:");
        // The dry run, which it took for a real one, and two calls; none of those that could not have helped it.
        assertThat(Files.readAllLines(world.resolve("sent"))).hasSize(3);
    }

    @Test
    void aScriptThatKnowsKeysScoresOne() throws IOException {
        assertThat(score(WITH_KEYS)).startsWith("score 1 of 3");
    }

    @Test
    void aScriptThatAlsoTellsItsEffectScoresTwo() throws IOException {
        assertThat(score(WITH_EFFECTS))
                .startsWith("score 2 of 3")
                .contains("add --dry-run", "demand a key", "refuse a key that comes with other arguments");
    }

    @Test
    void aProbeSeesWhatAFolderDoesNot() throws IOException {
        assertThat(score(options(NAIVE, null, "cat " + world + "/sent"))).contains("the probe's answer changed");
    }

    @Test
    void aCommandThatCantBeGradedIsRefused() {
        List<String> command = List.of("true", "1");
        assertThatThrownBy(() -> options(List.of(), null, null)).isInstanceOf(ScoreRefused.class);
        assertThatThrownBy(() -> options(command, Path.of("/no/such/folder"), null))
                .isInstanceOf(ScoreRefused.class);
        assertThatThrownBy(() -> new ScoreOptions(command, null, null, "5=6", KEY_OPTION, ONE_RUN))
                .isInstanceOf(ScoreRefused.class);
        assertThatThrownBy(() -> score(options(List.of("/no/such/tool", "1"), null, null)))
                .isInstanceOf(ScoreRefused.class);
        assertThatThrownBy(() -> score(options(List.of("true"), null, null))).isInstanceOf(ScoreRefused.class);
    }

    private String score(String script) throws IOException {
        return score(options(script, world, null));
    }

    private static String score(ScoreOptions options) {
        return new Report(options, new Grader(options, "score-1").grade()).text();
    }

    private ScoreOptions options(String script, Path watch, String probe) throws IOException {
        return options(List.of("sh", write(script).toString(), "--to", "ann", "--amount", "100"), watch, probe);
    }

    private static ScoreOptions options(List<String> command, Path watch, String probe) {
        return new ScoreOptions(command, watch, probe, null, KEY_OPTION, ONE_RUN);
    }

    private Path write(String script) throws IOException {
        String settings = "SCORE_WORLD=" + world + "\nSCORE_KEYS=" + folder.resolve("keys") + "\n";
        return Files.writeString(folder.resolve("tool.sh"), settings + script);
    }
}
