package dev.idem.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.idem.torture.driver.Run;
import dev.idem.torture.subject.Deed;
import dev.idem.torture.subject.Subjects;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledgers on the class path are tortured for a short while. Long runs are made by hand. */
@Timeout(180)
class TortureIT {
    @TempDir
    Path folder;

    /** In a quick build an embedded one and a server. */
    static Stream<String> ledgers() {
        return Boolean.getBoolean("idem.quick")
                ? Stream.of("sqlite", "postgresql")
                : Subjects.names().stream().filter(name -> !name.equals(Subjects.UNWAITED));
    }

    @ParameterizedTest
    @MethodSource("ledgers")
    void everyRuleIsKeptWhateverBreaks(String ledger) throws Exception {
        Verdict verdict = run(ledger, Boolean.getBoolean("idem.quick") ? 4 : 6);
        // On a busy machine the processes may need all that time to start.
        for (int seconds = 12; seconds <= 48 && !verdict.counts().containsKey("ends COMPLETE"); seconds *= 2) {
            verdict = run(ledger, seconds);
        }

        assertThat(verdict.counts()).as("something was done").containsKeys("Effect", "DONE", "ends COMPLETE");
        assertThat(folder).as("nothing is left").isEmptyDirectory();
    }

    /** An entry with a lapsed lease is in doubt, nothing runs twice, and no fence goes back. */
    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "redis"})
    @Tag("proof")
    void everyRuleIsKeptWhenTheClockOfTheServerJumps(String ledger) throws Exception {
        try {
            Verdict verdict = run(Options.of(ledger).withDeeds(Set.of(Deed.JUMP)), 6);
            assertThat(verdict.counts()).containsKey("jump");
        } catch (UnsupportedOperationException e) {
            abort(e.getMessage());
        }
    }

    private Verdict run(String ledger, int seconds) throws Exception {
        return run(Options.of(ledger), seconds);
    }

    private Verdict run(Options of, int seconds) throws Exception {
        Options options =
                of.withSeed(42).withDuration(Duration.ofSeconds(seconds)).withFolder(folder);
        try (Run run = new Run(options, line -> {})) {
            Verdict verdict = run.toTheEnd();
            assertThat(verdict.violations()).isEmpty();
            return verdict;
        }
    }
}
