package dev.idem.agent.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** How far a run has come, in words. */
class ProgressTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void theLineSaysRateAndTimeLeft() {
        Progress progress = progress(new BatchReport.Counts(12_340, 28_860, 2, 1, 0), OptionalLong.of(100_000));

        assertThat(progress.line())
                .isEqualTo("job-7: 41,203 of 100,000 (41 %), 1,234/s, 47 s left, 28,860 skipped, 2 failed, 1 in doubt");
    }

    @Test
    void whatWasSkippedSaysNothingAboutTheTimeLeft() {
        Progress progress = progress(new BatchReport.Counts(0, 50_000, 0, 0, 0), OptionalLong.of(100_000));

        assertThat(progress.left()).isEmpty();
        assertThat(progress.line()).isEqualTo("job-7: 50,000 of 100,000 (50 %), 50,000 skipped");
    }

    @Test
    void withoutATotalThereIsNoTimeLeft() {
        assertThat(progress(new BatchReport.Counts(5, 0, 0, 0, 0), OptionalLong.empty())
                        .line())
                .isEqualTo("job-7: 5, 0.5/s");
    }

    @Test
    void longTimesAreSaidInLargerUnits() {
        assertThat(BatchWords.duration(Duration.ofSeconds(200))).isEqualTo("3 min 20 s");
        assertThat(BatchWords.duration(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
    }

    @Test
    void onATerminalOneLineIsWrittenOver() {
        ProgressLine line = ProgressLine.moving(out);
        line.show(progress(new BatchReport.Counts(5, 0, 0, 0, 0), OptionalLong.of(10)));
        line.end(progress(new BatchReport.Counts(10, 0, 0, 0, 0), OptionalLong.of(10)));

        assertThat(written())
                .isEqualTo("\rjob-7: 5 of 10 (50 %), 0.5/s, 10 s left\u001b[K"
                        + "\rjob-7: 10 of 10 (100 %), 1.0/s, 0 s left\u001b[K" + System.lineSeparator());
        assertThat(line.every()).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void elsewhereLinesArePlainAndRare() {
        ProgressLine line = ProgressLine.plain(out);
        line.show(progress(new BatchReport.Counts(5, 0, 0, 0, 0), OptionalLong.of(10)));

        assertThat(written()).isEqualTo("job-7: 5 of 10 (50 %), 0.5/s, 10 s left" + System.lineSeparator());
        assertThat(line.every()).isGreaterThan(Duration.ofSeconds(5));
    }

    private static Progress progress(BatchReport.Counts counts, OptionalLong total) {
        return new Progress("job-7", counts, total, Duration.ofSeconds(10));
    }

    private String written() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
