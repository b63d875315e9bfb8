package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the exit of a command means: done, failed, or in doubt. */
class RunExitsTest extends RunCase {
    @Test
    void theAdviceAfterANonZeroExitWorksWordForWord() {
        Ran first = act("exit 3");
        assertThat(first.err())
                .contains("if exit 3 of this command always means that nothing happened: "
                        + "first idem resolve k --as failed, then run it again, from now on with --failed-exits 3");
        assertThat(shell.idem("resolve", "k", "--as", "failed").exit()).isZero();
        assertThat(act("exit 3", "--failed-exits", "3").exit()).isEqualTo(3);
        assertThat(act("exit 3", "--failed-exits", "3").exit()).isEqualTo(3);
        assertThat(effects()).isEqualTo(3);
    }

    @Test
    void aNonZeroExitIsInDoubtAndNotRunAgain() {
        Ran first = act("exit 3");
        assertThat(first.exit()).isEqualTo(3);
        assertThat(first.err()).contains("does not prove that nothing happened").contains("--failed-exits 3");
        Ran second = act("exit 3");
        assertThat(second.exit()).isEqualTo(81);
        assertThat(second.err())
                .contains("in doubt since")
                .contains("ended with exit 3")
                .contains("idem show k")
                .contains("idem resolve k --as complete")
                .contains("idem resolve k --as failed")
                .contains("--on-doubt rerun");
        assertThat(effects()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "3,   --failed-exits=1-5,   FAILED",
        "3,   --failed-exits=4,     IN_DOUBT",
        "3,   --on-nonzero=rerun,   FAILED",
        "3,   --on-nonzero=keep,    COMPLETE",
        "3,   --on-nonzero=doubt,   IN_DOUBT",
        "130, --on-nonzero=rerun,   IN_DOUBT",
        "137, --on-nonzero=keep,    IN_DOUBT",
        "0,   --on-nonzero=doubt,   COMPLETE",
    })
    void whatAnExitMeansIsForTheCallerToSay(int exit, String option, State state) {
        assertThat(act("exit " + exit, option).exit()).isEqualTo(exit);
        assertThat(state()).isEqualTo(state);
        act("exit " + exit, option);
        assertThat(effects()).isEqualTo(state == State.FAILED ? 2 : 1);
    }

    @Test
    void aKeptExitIsReplayed() {
        act("echo out; exit 3", "--on-nonzero", "keep");
        Ran second = act("echo out; exit 3", "--on-nonzero", "keep");
        assertThat(second.exit()).isEqualTo(3);
        assertThat(second.out()).isEqualTo("out\n");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void theEnvironmentSetsOptionsToo() {
        shell.env.put("IDEM_ON_NONZERO", "rerun");
        act("exit 3");
        assertThat(state()).isEqualTo(State.FAILED);
    }

    @ParameterizedTest
    @CsvSource({"--on-doubt=rerun", "--side-effect=idempotent"})
    void doubtIsRunAgainWhereThatDoesNoHarm(String option) {
        String script = "test $(wc -l < '" + effects + "') = 2 || exit 3; echo done";
        act(script);
        Ran second = act(script, option);
        assertThat(second.exit()).isZero();
        assertThat(second.out()).isEqualTo("done\n");
        assertThat(act(script).err()).contains("replay");
        assertThat(effects()).isEqualTo(2);
    }

    @Test
    void aFailureAfterATakeOverLeavesTheDoubt() {
        act("exit 3");
        act("exit 3", "--on-doubt=rerun", "--failed-exits=3");
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }
}
