package dev.idem.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.conformance.reference.Mistake;
import dev.idem.conformance.reference.ReferenceDriver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The harness finds nothing wrong with a client that keeps all duties, and finds each duty that is broken. */
class ConformanceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** A client that never does what it should is waited for this long. */
    private static final Duration WITH_WRONG_CLIENTS = Duration.ofSeconds(5);

    private static final int AT_ONCE = 6;

    /** The scenarios that catch each mistake. */
    private static final Map<Mistake, String> CAUGHT_BY = Map.ofEntries(
            Map.entry(Mistake.ACTS_ON_PROBE, "a-probe-found-the-effect"),
            Map.entry(Mistake.ACTS_BEFORE_THE_GRANT, "a-grant-is-awaited"),
            Map.entry(Mistake.ACTS_WITHOUT_AN_ANSWER, "a-claim-is-given-up-and-withdrawn"),
            Map.entry(Mistake.ACTS_ON_AN_UNKNOWN_ANSWER, "an-unknown-answer-allows-nothing"),
            Map.entry(Mistake.ACTS_ON_A_LATE_GRANT, "a-claim-is-given-up-and-withdrawn"),
            Map.entry(Mistake.ACTS_AFTER_THE_LIMIT, "the-limit-is-over-before-the-action"),
            Map.entry(Mistake.ACTS_WHEN_NOT_RENEWED, "a-renewal-before-the-action-is-not-answered"),
            Map.entry(Mistake.COUNTS_THE_LEASE_FROM_THE_RECEIPT, "the-lease-is-over-before-the-action"),
            Map.entry(Mistake.COUNTS_THE_LIMIT_FROM_THE_LAST_CLAIM, "the-limit-counts-from-the-first-claim"),
            Map.entry(Mistake.GIVES_UP_WITHOUT_WITHDRAW, "a-claim-is-given-up-and-withdrawn"),
            Map.entry(Mistake.WITHDRAWS_ONCE, "a-withdrawal-is-lost"),
            Map.entry(Mistake.SHARES_BY_KEY_ALONE, "calls-share-only-what-is-equal"),
            Map.entry(Mistake.SETTLES_AFTER_LOSS, "the-ticket-is-lost-before-the-action"),
            Map.entry(Mistake.SETTLES_ONCE, "settle-request-is-lost"),
            Map.entry(Mistake.SETTLES_AFTER_STALE, "another-attempt-has-the-key"),
            Map.entry(Mistake.MAKES_ATTEMPT_IDS_FROM_THE_KEY, "attempt-ids-are-random"),
            Map.entry(Mistake.REPEATS_WITH_ANOTHER_ID, "claim-answer-is-lost"),
            Map.entry(Mistake.GIVES_A_SECOND_GRANT_BACK, "a-grant-is-doubled"),
            Map.entry(Mistake.RESTARTS_AT_THE_NEXT_CALL, "the-server-dies-during-actions"),
            Map.entry(Mistake.IGNORES_ANOTHER_LEDGER_ID, "another-ledger-after-a-restart"),
            Map.entry(Mistake.SETTLES_A_PROBES_NO_AS_FAILED, "a-probe-found-nothing"),
            Map.entry(Mistake.RERUNS_DESTRUCTIVE_AFTER_A_PROBE, "a-probe-found-nothing-destructive"),
            Map.entry(Mistake.CALLS_EVERY_ERROR_FAILED, "any-other-error-is-in-doubt"),
            Map.entry(Mistake.FORGETS_THAT_IT_WAITED, "a-waiter-gets-the-result"),
            Map.entry(Mistake.RUNS_AFTER_A_FAILED_WAIT, "a-waiter-gets-the-failure"),
            Map.entry(Mistake.SENDS_NO_LEDGER, "runs-once-and-replays"),
            Map.entry(Mistake.NAMES_ITS_PARENT_AS_OWNER, "runs-once-and-replays"),
            Map.entry(Mistake.RUNS_WITHOUT_A_SERVER, "the-server-does-not-exist"),
            Map.entry(Mistake.LOSES_A_LARGE_RESULT, "a-result-is-too-large"),
            Map.entry(Mistake.ENDS_WHEN_ITS_PROBE_IS_STALE, "a-probe-is-overtaken"),
            Map.entry(Mistake.CALLS_A_FAILURE_AFTER_A_DOUBT_FAILED, "a-failure-after-a-doubt"),
            Map.entry(Mistake.IGNORES_THE_RECORDED_RESULT, "a-result-was-recorded-before"),
            Map.entry(Mistake.IGNORES_THE_RECORDED_STATE, "the-attempt-was-ended-before"),
            Map.entry(Mistake.COUNTS_THE_LEASE_FROM_THE_LAST_COPY, "the-lease-counts-from-the-answered-copy"),
            Map.entry(Mistake.RENEWS_ONCE, "a-renewal-after-a-restart-is-unanswered"),
            Map.entry(Mistake.DROPS_A_LOST_TICKET, "a-ticket-is-lost-during-its-action"),
            Map.entry(Mistake.LETS_A_SILENT_SERVER_LIVE, "the-server-falls-silent"),
            Map.entry(Mistake.MEASURES_NOTHING, "a-result-is-longer-than-a-line"),
            Map.entry(Mistake.WAITS_ONCE, "a-waiter-gets-the-result"));

    private static Launcher inThisProcess(Set<Mistake> mistakes) {
        return environment -> new ThreadDriver(environment, mistakes);
    }

    @Test
    void aClientThatKeepsEveryDutyPasses() throws Exception {
        List<Runner.Verdict> verdicts = new Runner(inThisProcess(EnumSet.noneOf(Mistake.class)), AT_ONCE, PATIENCE)
                .run(Scenarios.all(null), verdict -> {});
        assertThat(verdicts).allMatch(Runner.Verdict::isOk).hasSizeGreaterThan(50);
    }

    @Test
    @Tag("proof")
    void eachMistakeIsCaught() throws Exception {
        assertThat(CAUGHT_BY.keySet()).containsExactlyInAnyOrder(Mistake.values());
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            Map<Mistake, Future<List<Runner.Verdict>>> running = new TreeMap<>();
            CAUGHT_BY.forEach((mistake, scenario) -> running.put(
                    mistake,
                    threads.submit(() -> new Runner(inThisProcess(EnumSet.of(mistake)), 1, WITH_WRONG_CLIENTS)
                            .run(named(scenario), verdict -> {}))));
            for (var each : running.entrySet()) {
                assertThat(each.getValue().get())
                        .as(each.getKey().name())
                        .singleElement()
                        .extracting(Runner.Verdict::line)
                        .asString()
                        .matches("FAILED " + CAUGHT_BY.get(each.getKey()) + ": .*; breaks (duty|the part on) .*");
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Scenario> named(String... names) {
        return Scenarios.all(null).stream()
                .filter(each -> List.of(names).contains(each.name()))
                .toList();
    }

    /** As an author runs it: with processes. */
    @Test
    void aDriverIsAProcess() throws Exception {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                ReferenceDriver.class.getName());
        List<Scenario> some = named("runs-once-and-replays", "the-client-is-killed-during-an-action");
        List<Runner.Verdict> verdicts = new Runner(new Command(command), 2, PATIENCE).run(some, verdict -> {});
        assertThat(verdicts).hasSize(2).allMatch(Runner.Verdict::isOk);
    }
}
