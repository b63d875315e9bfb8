package dev.idem.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.JsonException;
import dev.idem.agent.guard.StoppedCall.Why;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoopGuardTest {
    private final AtomicLong nanos = new AtomicLong();
    private final LoopGuard guard = LoopGuard.standard().nanos(nanos::get);
    private final LoopWatch watch = guard.watch("task-1");

    @Test
    void theThirdIdenticalCallInTheWindowIsStoppedBeforeItRuns() {
        assertThat(call(watch, "search", "cats")).isNull();
        assertThat(call(watch, "search", "cats")).isNull();
        StoppedCall stopped = call(watch, "search", "cats");

        assertThat(stopped.why()).isEqualTo(Why.LOOP);
        assertThat(stopped.times()).isEqualTo(3);
        assertThat(watch.used("search").calls()).isEqualTo(2);
    }

    @Test
    void theModelIsToldWhatItCalledHowOftenWhatCameOfItAndWhatToDo() {
        answered(watch, "search", "cats", Map.of("hits", 7));
        answered(watch, "search", "cats", Map.of("hits", 8));
        StoppedCall stopped = call(watch, "search", "cats");

        assertThat(stopped.forModel())
                .isEqualTo("This call of 'search' was not run: it is the 3rd with the same arguments within the last 8 "
                        + "calls, and another run would not help. The earlier result was: {\"hits\":7}. Use what you "
                        + "have, or go on without this call.");
        assertThat(stopped.earlierResult()).isEqualTo(Map.of("hits", 7));
        assertThat(stopped.toString()).doesNotContain("hits");
    }

    @Test
    void theModelIsToldOfAnEarlierFailure() {
        for (int i = 0; i < 2; i++) {
            passage(watch, "search", "cats").threw(new IOException("no route"));
        }

        assertThat(call(watch, "search", "cats").forModel())
                .contains("The earlier call failed: IOException: no route.");
    }

    @Test
    void aLongResultIsCut() {
        answered(watch, "search", "cats", "x".repeat(10_000));
        answered(watch, "search", "cats", "x".repeat(10_000));

        assertThat(call(watch, "search", "cats").forModel())
                .contains("x… (10000 characters)")
                .hasSizeLessThan(900);
    }

    @Test
    void argumentsAreComparedByMeaningNotByOrder() {
        assertThat(watch.ask("search", Map.of("q", "cats", "n", 1))).isInstanceOf(AllowedCall.class);
        assertThat(watch.ask("search", new java.util.TreeMap<>(Map.of("n", 1L, "q", "cats"))))
                .isInstanceOf(AllowedCall.class);
        assertThat(watch.ask("search", Map.of("n", 1.0, "q", "cats"))).isInstanceOf(StoppedCall.class);
    }

    @Test
    void otherArgumentsOtherToolsAndOtherSessionsAreNotTheSame() {
        for (int i = 0; i < 7; i++) {
            assertThat(call(watch, "search", "cats " + i)).isNull();
            assertThat(call(watch, "search " + i, "cats")).isNull();
            assertThat(call(guard.watch("task-" + i), "search", "cats")).isNull();
        }
    }

    @Test
    void whatLeftTheWindowIsForgotten() {
        for (int round = 0; round < 3; round++) {
            assertThat(call(watch, "search", "cats")).isNull();
            for (int i = 0; i < 4; i++) {
                assertThat(call(watch, "other", round + " " + i)).isNull();
            }
        }
    }

    @Test
    void aLoopOfTwoIsFound() {
        call(watch, "a", 1);
        call(watch, "b", 1);
        call(watch, "a", 1);
        call(watch, "b", 1);

        assertThat(call(watch, "a", 1).why()).isEqualTo(Why.LOOP);
        assertThat(call(watch, "b", 1).why()).isEqualTo(Why.LOOP);
    }

    @Test
    void aModelThatGoesOnIsStoppedAgainAndAgain() {
        call(watch, "search", "cats");
        call(watch, "search", "cats");
        for (int times = 3; times <= 20; times++) {
            assertThat(call(watch, "search", "cats").times()).isEqualTo(Math.min(times, 8));
        }
        for (int i = 0; i < 5; i++) {
            call(watch, "other", i);
        }
        assertThat(call(watch, "search", "cats").times()).isEqualTo(3);
        for (int i = 5; i < 12; i++) {
            call(watch, "other", i);
        }
        assertThat(call(watch, "search", "cats")).isNull();
    }

    @Test
    void whatAResumedRunReplaysIsNotCounted() {
        LoopWatch counted = guard.session(Limits.none().calls(2)).watch("task-1");
        for (int i = 0; i < 5; i++) {
            passage(counted, "search", "cats").resumed();
        }

        assertThat(counted.used()).isEqualTo(CallUsage.NOTHING);
        assertThat(call(counted, "search", "cats")).isNull();
        assertThat(call(counted, "search", "cats")).isNull();
        assertThat(call(counted, "search", "dogs").why()).isEqualTo(Why.SESSION_CALLS);
    }

    @Test
    void theFirstEndingCounts() {
        AllowedCall passage = passage(watch, "search", "cats");
        passage.returned("one");
        passage.threw(new IOException());
        passage.resumed();

        assertThat(watch.used()).isEqualTo(new CallUsage(1, 0, Duration.ZERO));
    }

    /** The write may have taken effect, so the reads after it may give something new. */
    @Test
    void aWriteInDoubtLetsReadsCountFromZero() {
        for (int i = 0; i < 5; i++) {
            ((AllowedCall) watch.askRead("search", "cats")).returned("none");
            AllowedCall write = (AllowedCall) watch.askKeyed("order", "cat " + i);
            write.mayHaveChanged();
            write.threw(new IllegalStateException("lost"));
        }
        assertThat(watch.used().failures()).isEqualTo(5);
    }

    @Test
    void aWriteThatIsInDoubtAgainAndAgainIsALoopItself() {
        for (int i = 0; i < 2; i++) {
            AllowedCall write = (AllowedCall) watch.askKeyed("order", "cat");
            write.mayHaveChanged();
            write.threw(new IllegalStateException("lost"));
        }

        assertThat(watch.askKeyed("order", "cat")).isInstanceOf(StoppedCall.class);
    }

    @Test
    void aToolThatIsMeantToBeRepeatedMayBe() {
        LoopWatch polling = guard.mayRepeat("job_status")
                .tool("job_status", Limits.none().calls(20))
                .watch("task-1");
        for (int i = 0; i < 20; i++) {
            assertThat(call(polling, "job_status", "job-7")).isNull();
        }
        assertThat(call(polling, "job_status", "job-7").why()).isEqualTo(Why.TOOL_CALLS);
    }

    @Test
    void aToolHasALimitOfCallsAndTheOthersGoOn() {
        LoopWatch limited = guard.tool("search", Limits.none().calls(1)).watch("task-1");
        call(limited, "search", "cats");
        StoppedCall stopped = call(limited, "search", "dogs");

        assertThat(stopped.why()).isEqualTo(Why.TOOL_CALLS);
        assertThat(stopped.forModel())
                .isEqualTo("This call of 'search' was not run: this tool may have 1 call, and that is used up. Do not "
                        + "call it again in this task; go on without it, and say what is missing.");
        assertThat(call(limited, "other", "dogs")).isNull();
        assertThat(limited.used("search").calls()).isEqualTo(1);
    }

    @Test
    void failuresAreLimited() {
        LoopWatch limited = guard.session(Limits.none().failures(2)).watch("task-1");
        passage(limited, "a", 1).threw(new IOException());
        call(limited, "b", 1);
        passage(limited, "c", 1).threw(new IOException());

        assertThat(call(limited, "d", 1).why()).isEqualTo(Why.SESSION_FAILURES);
    }

    @Test
    void timeIsLimited() {
        LoopWatch limited = guard.tool("slow", Limits.none().time(Duration.ofSeconds(10)))
                .session(Limits.none().time(Duration.ofSeconds(15)))
                .watch("task-1");
        AllowedCall slow = passage(limited, "slow", 1);
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        slow.returned("at last");

        assertThat(call(limited, "slow", 2).why()).isEqualTo(Why.TOOL_TIME);
        AllowedCall other = passage(limited, "other", 1);
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        other.threw(new IOException());
        assertThat(call(limited, "other", 2).why()).isEqualTo(Why.SESSION_TIME);
    }

    @Test
    void aCallIsRunOrStopped() throws Exception {
        assertThat(watch.<String>run("search", "cats", () -> "seven")).isEqualTo("seven");
        assertThatThrownBy(() -> watch.run("search", "cats", () -> {
                    throw new IOException("no route");
                }))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> watch.run("search", "cats", () -> {
                    throw new AssertionError("it ran");
                }))
                .isInstanceOf(StoppedCallException.class)
                .hasMessageContaining("The earlier result was: seven.");
        assertThat(watch.used().failures()).isEqualTo(1);
    }

    @Test
    void aRaceOfIdenticalCallsLetsTwoPass() {
        List<LoopVerdict> verdicts = Race.of(16, () -> watch.ask("search", "cats"));

        assertThat(verdicts).filteredOn(one -> one instanceof AllowedCall).hasSize(2);
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> guard.threshold(9)).hasMessageContaining("widen it first");
        assertThatThrownBy(() -> guard.threshold(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> guard.window(1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limits.none().calls(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> watch.ask("search", Double.NaN)).isInstanceOf(JsonException.class);
    }

    private static AllowedCall passage(LoopWatch watch, String tool, Object arguments) {
        return (AllowedCall) watch.ask(tool, arguments);
    }

    private static void answered(LoopWatch watch, String tool, Object arguments, Object result) {
        passage(watch, tool, arguments).returned(result);
    }

    /** Null when it ran. */
    private static StoppedCall call(LoopWatch watch, String tool, Object arguments) {
        LoopVerdict verdict = watch.ask(tool, arguments);
        if (verdict instanceof AllowedCall passage) {
            passage.returned("done");
            return null;
        }
        return (StoppedCall) verdict;
    }
}
