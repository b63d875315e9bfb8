package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Json;
import dev.idem.Key;
import dev.idem.cli.Idems.Started;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A batch that is killed again and again. */
class BatchIT extends ProcessCase {
    private static final int LINES = Thorough.times(150, 2_000);
    private static final int KILLS = Thorough.times(1, 5);
    private static final int JOBS = 4;

    private Path effects;

    @BeforeEach
    void open() throws IOException {
        effects = home.resolve("effects");
        Files.createFile(effects);
        Files.write(
                home.resolve("lines"),
                IntStream.range(0, LINES).mapToObj(i -> "line-" + i).toList());
    }

    private static final String[] BATCH = {
        "batch", "--key", "b", "--input", "lines", "--jobs", "4", "--json", "--", "sh", "-c", "echo \"$0\" >>effects"
    };

    private long count() {
        try {
            return Files.readAllLines(effects).size();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void killedAgainAndAgainEachLineTakesEffectOnce() throws IOException {
        for (int kill = 1; kill <= KILLS; kill++) {
            long enough = (long) LINES * (kill + 1) / (KILLS + 2);
            Started batch = idems.start(BATCH);
            Until.isTrue("enough lines are done", () -> count() >= enough);
            batch.kill();
            batch.end();
        }
        Ran ran = idems.run(BATCH);
        Map<String, Object> told = ran.data();
        assertThat(told).containsEntry("lines", (long) LINES).containsEntry("done", (long) LINES);
        long inDoubt = (Long) told.get("in_doubt");
        assertThat(inDoubt).isLessThanOrEqualTo(KILLS * JOBS);
        assertThat((Long) told.get("replayed")).as("it went on where it was").isGreaterThan(LINES / 2);

        settleDoubts();
        Ran last = idems.run(BATCH);
        assertThat(last.exit()).as(last.out()).isZero();
        List<String> lines = Files.readAllLines(effects);
        assertThat(new HashSet<>(lines)).hasSize(LINES);
        assertThat(lines).hasSize(LINES);
    }

    /** What a person would do: look whether it happened, and say so. */
    private void settleDoubts() throws IOException {
        Ran doubts = idems.run("ls", "--operation", "batch", "--state", "in_doubt", "--json");
        Set<String> happened = new HashSet<>(Files.readAllLines(effects));
        assertThat(doubts.data()).containsEntry("more", false);
        for (Object entry : (List<?>) doubts.data().get("entries")) {
            String key = (String) ((Map<?, ?>) entry).get("key");
            String line = IntStream.range(0, LINES)
                    .mapToObj(i -> "line-" + i)
                    .filter(each -> keyOf(each).equals(key))
                    .findFirst()
                    .orElseThrow();
            String as = happened.contains(line) ? "complete" : "failed";
            assertThat(idems.run("resolve", key, "--operation", "batch", "--as", as)
                            .exit())
                    .as(Json.write(entry))
                    .isZero();
        }
    }

    private static String keyOf(String line) {
        return Key.derive("default", "batch", Map.of("batch", "b", "line", line))
                .value();
    }
}
