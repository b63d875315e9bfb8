package dev.idem.agent.batch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.testkit.ChildProcess;
import dev.idem.testkit.Thorough;
import dev.idem.testkit.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A batch on SQLite whose process is killed while it works, and started again. */
@Timeout(300)
class BatchKillIT {
    @TempDir
    Path folder;

    @Test
    void itemsOfABatchThatIsKilledAgainAndAgainTakeEffectOnceEach() throws Exception {
        int items = Thorough.times(1_000, 20_000);
        int kills = Thorough.times(1, 10);
        for (int kill = 1; kill <= kills; kill++) {
            runAndKill(items, "probe", kill * (long) items / (kills + 1));
        }
        String last = runToTheEnd(items, "probe");

        assertThat(last).contains("complete").contains("0 failed, 0 in doubt");
        List<String> effects = effects();
        assertThat(effects).hasSize(items);
        assertThat(effects).doesNotHaveDuplicates();
    }

    @Test
    void withoutAProbeWhatWasUnderWayIsReportedAndNeverRunAgain() throws Exception {
        int kills = Thorough.times(1, 3);
        int items = 500 * (kills + 1);
        for (int kill = 1; kill <= kills; kill++) {
            runAndKill(items, "halt", kill * 400L);
        }
        String last = runToTheEnd(items, "halt");

        List<String> effects = effects();
        assertThat(effects).doesNotHaveDuplicates();
        long inDoubt = Long.parseLong(
                last.replaceAll("(?s).* failed, ([\\d,]+) in doubt.*", "$1").replace(",", ""));
        assertThat(inDoubt).isBetween(1L, kills * 64L);
        assertThat(effects.size()).isBetween((int) (items - inDoubt), items);
        assertThat(last).contains("not complete");
    }

    /** Kills −9 as soon as there are that many effects. */
    private void runAndKill(int items, String doubt, long atEffects) throws Exception {
        try (ChildProcess child = start(items, doubt)) {
            Until.isTrue("effects are there", () -> count() >= atEffects);
            child.kill();
        }
        assertThat(effects()).as("killed in the middle").hasSizeLessThan(items);
    }

    private String runToTheEnd(int items, String doubt) throws Exception {
        try (ChildProcess child = start(items, doubt)) {
            List<String> said = child.rest();
            assertThat(said).endsWith("exit 0");
            return String.join("\n", said);
        }
    }

    private ChildProcess start(int items, String doubt) throws IOException {
        return ChildProcess.start(
                BatchMain.class,
                folder.resolve("idem.db").toString(),
                folder.resolve("effects").toString(),
                String.valueOf(items),
                doubt);
    }

    private List<String> effects() throws IOException {
        return Files.readAllLines(folder.resolve("effects"));
    }

    /** About how many effects there are: an item has five digits at most, and a line end. */
    private long count() {
        Path file = folder.resolve("effects");
        try {
            return Files.exists(file) ? Files.size(file) * 100 / 589 : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
