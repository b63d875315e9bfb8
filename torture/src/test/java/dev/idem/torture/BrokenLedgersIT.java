package dev.idem.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.torture.broken.BrokenLedgers;
import dev.idem.torture.check.Rule;
import dev.idem.torture.check.Violation;
import dev.idem.torture.driver.Evidence;
import dev.idem.torture.driver.Run;
import dev.idem.torture.subject.Deed;
import dev.idem.torture.subject.Subjects;
import dev.idem.torture.worker.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A run goes red on every ledger that is broken on purpose, and for the reason it is broken for. */
@Timeout(240)
class BrokenLedgersIT {
    /** The rule that breaks first depends on the race; all of these end in a second effect sooner or later. */
    private static final Set<Rule> RUN_TWICE = Set.of(Rule.ONE_EFFECT, Rule.NO_SILENT_RERUN);

    private static final Map<String, Set<Rule>> EXPECTED = Map.of(
            "fenceless",
                    orRunTwice(
                            Rule.SAME_BYTES,
                            Rule.OWN_IDENTITY,
                            Rule.FAILED_MEANS_NOTHING,
                            Rule.NOTHING_LOST,
                            Rule.DOUBT_IS_KEPT,
                            Rule.FAILURES_ARE_KEPT),
            "laundering", orRunTwice(Rule.FAILED_MEANS_NOTHING, Rule.DOUBT_IS_KEPT),
            "forgetful", orRunTwice(Rule.COMPLETE_IS_TERMINAL, Rule.NOTHING_LOST),
            // One of two owners may say that it failed, when the other has had the effect.
            "check-then-act", orRunTwice(Rule.ONE_OWNER, Rule.SAME_BYTES, Rule.OWN_IDENTITY, Rule.FAILED_MEANS_NOTHING),
            "trusting", Set.of(Rule.OWN_IDENTITY),
            "rerunning", RUN_TWICE,
            "tombless", orRunTwice(Rule.COMPLETE_IS_TERMINAL, Rule.NOTHING_LOST),
            "rowless", Set.of(Rule.ROWS_AND_ENTRY),
            "unwritten", orRunTwice(Rule.NOTHING_LOST, Rule.COMPLETE_IS_TERMINAL));

    private static Set<Rule> orRunTwice(Rule... rules) {
        Set<Rule> all = EnumSet.copyOf(RUN_TWICE);
        all.addAll(List.of(rules));
        return all;
    }

    @TempDir
    Path folder;

    /** In a quick build one that shows itself at once. */
    static Stream<String> broken() {
        boolean quick = Boolean.getBoolean("idem.quick");
        return quick ? Stream.of("check-then-act") : BrokenLedgers.names().stream();
    }

    @Test
    void everyBrokenLedgerIsExpected() {
        assertThat(new TreeSet<>(EXPECTED.keySet())).isEqualTo(BrokenLedgers.names());
    }

    @ParameterizedTest
    @MethodSource("broken")
    void aBrokenLedgerIsCaught(String name) throws Exception {
        Options options = Options.of("sqlite")
                .withBroken(name)
                // An even one: a seal would not open for another attempt, and show what is broken in another way.
                .withSeed(8)
                // Rows are looked at in the end; everything else ends the run when it is seen.
                .withDuration(Duration.ofSeconds(name.equals("rowless") ? 10 : 150))
                .withFolder(folder);
        if (name.equals("tombless")) {
            options = options.withKinds(Set.of(Kind.TOMBSTONED));
        }
        if (name.equals("fenceless")) {
            // It takes an owner that was overtaken and comes back.
            options = options.withDeeds(Set.of(Deed.STOP));
        }

        caught(options, EXPECTED.get(name));
    }

    /** Redis answers before its replica has the write, and the replica takes over. */
    @Test
    @Tag("proof")
    void aLedgerThatDoesNotWaitForItsReplicaIsCaught() throws Exception {
        Options options = Options.of(Subjects.UNWAITED)
                .withSeed(8)
                .withDeeds(Set.of(Deed.FAILOVER))
                .withDuration(Duration.ofSeconds(150))
                .withFolder(folder);
        caught(options, orRunTwice(Rule.NOTHING_LOST, Rule.COMPLETE_IS_TERMINAL, Rule.SAME_BYTES));
    }

    private static void caught(Options options, Set<Rule> expected) throws Exception {
        Verdict verdict;
        try (Run run = new Run(options, line -> {})) {
            verdict = run.toTheEnd();
        }

        assertThat(verdict.violations())
                .extracting(Violation::rule)
                .as("the rules that it breaks")
                .containsAnyElementsOf(expected);
        assertThat(Evidence.check(verdict.evidence()))
                .as("judged again by its evidence")
                .containsAll(verdict.violations());
    }
}
