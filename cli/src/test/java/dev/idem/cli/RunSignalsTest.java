package dev.idem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.State;
import dev.idem.cli.InProcess.Ran;
import dev.idem.testkit.FaultyLedger.Point;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A signal at each point of a call: it never changes what is told about a command that ran, and is never forgotten. */
class RunSignalsTest extends RunCase {
    private void signalAt(Point point) {
        shell.handle.at(point, () -> shell.signals.receive("TERM", 15));
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_CLAIM", "AFTER_CLAIM", "BEFORE_MARK", "AFTER_MARK"})
    void beforeTheCommandItRunsNothing(Point point) {
        signalAt(point);
        Ran ran = act("true", "--json", "--retry", "3", "--failed-exits", "1");
        assertThat(ran.exit()).isEqualTo(143);
        assertThat(ran.error()).containsEntry("code", "CANCELLED").containsEntry("retryable", true);
        assertThat(effects()).isZero();
        assertThat(act("true", "--failed-exits", "1").exit()).isZero();
        assertThat(effects()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_SETTLE", "AFTER_SETTLE"})
    void whileTheEndIsRecordedItChangesNothing(Point point) {
        signalAt(point);
        Ran ran = act("echo out", "--retry", "3");
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(ran.out()).isEqualTo("out\n");
        assertThat(state()).isEqualTo(State.COMPLETE);
    }

    /** The second try was not begun, and the call said that nothing was run. */
    @Test
    void beforeTheSecondTryWhatTheFirstEndedWithStands() {
        shell.handle.at(Point.BEFORE_MARK, () -> {}).at(Point.BEFORE_MARK, () -> shell.signals.receive("TERM", 15));
        Ran ran = act("exit 7", "--json", "--side-effect", "idempotent", "--retry", "3", "--backoff", "1ms");
        assertThat(ran.exit()).isEqualTo(7);
        assertThat(ran.error()).containsEntry("code", "IN_DOUBT").containsEntry("retryable", false);
        assertThat(effects()).isEqualTo(1);
        assertThat(state()).isEqualTo(State.IN_DOUBT);
    }

    /** A signal that came while a line was being recorded was forgotten, and all the other lines were run. */
    @ParameterizedTest
    @EnumSource(names = {"BEFORE_SETTLE", "AFTER_SETTLE"})
    void inABatchNoOtherLineIsRunAfterIt(Point point) {
        signalAt(point);
        shell.stdin = "one\ntwo\nthree\n".getBytes(StandardCharsets.UTF_8);
        Ran ran = shell.idem("batch", "--key", "b", "--json", "--", "sh", "-c", "echo \"$0\" >>'" + effects + "'");
        assertThat(ran.exit()).as(ran.out()).isEqualTo(143);
        assertThat(ran.data()).containsEntry("ran", 1L).containsEntry("done", 1L);
        assertThat(effects()).isEqualTo(1);
    }
}
