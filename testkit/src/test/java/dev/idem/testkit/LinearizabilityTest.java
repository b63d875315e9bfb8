package dev.idem.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/** Every concurrent history of the memory ledger is one that some order of single steps explains. */
final class LinearizabilityTest {
    private static StressOptions stress() {
        return new StressOptions()
                .iterations(10)
                .invocationsPerIteration(200)
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(2)
                .actorsAfter(1);
    }

    @Test
    void underStress() {
        stress().check(LinearizableMemory.class);
    }

    @Test
    void aLedgerThatLooksFirstAndWritesLaterIsCaught() {
        assertThatThrownBy(() ->
                        stress().actorsBefore(0).minimizeFailedScenario(false).check(LinearizableCheckThenAct.class))
                .isInstanceOf(LincheckAssertionError.class);
    }
}
