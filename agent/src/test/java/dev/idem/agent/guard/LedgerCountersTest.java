package dev.idem.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ledgers;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Race;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The counters outlive the process: another watch of the same session goes on where the first one was. */
class LedgerCountersTest {
    private Ledger ledger;
    private Guard guard;

    @BeforeEach
    void openLedger() {
        ledger = open();
        guard = Guard.standard().countersIn(ledger);
    }

    /** A ledger without entries. */
    Ledger open() {
        return Ledgers.open("memory:");
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    @Test
    void aRestartedSessionGoesOnCounting() {
        ((Passage) guard.watch("task-1").ask("search", "cats")).returned("seven");
        ((Passage) guard.watch("task-1").ask("search", "cats")).returned("seven");

        assertThat(guard.watch("task-1").ask("search", "cats")).isInstanceOf(Stopped.class);
        assertThat(guard.watch("task-2").ask("search", "cats")).isInstanceOf(Passage.class);
    }

    @Test
    void anotherProcessSeesFailuresAndWhatIsUnderWay() {
        Guard limited = guard.session(Limits.none().calls(4).failures(1));
        Watch here = limited.watch("task-1");
        Watch there = limited.watch("task-1");
        Passage open = (Passage) here.ask("a", 1);

        assertThat(there.ask("b", 1)).isInstanceOf(Passage.class);
        assertThat(there.used().calls()).isEqualTo(2);
        open.threw(new IOException());
        assertThat(((Stopped) there.ask("b", 2)).why()).isEqualTo(Stopped.Why.SESSION_FAILURES);
    }

    @Test
    void whatWasResumedIsNotCountedElsewhereEither() {
        Watch here = guard.watch("task-1");
        for (int i = 0; i < 5; i++) {
            ((Passage) here.ask("search", "cats")).resumed();
        }

        assertThat(guard.watch("task-1").ask("search", "cats")).isInstanceOf(Passage.class);
    }

    @Test
    void aRaceOfWatchesLetsTwoPass() {
        List<Callable<Verdict>> contestants = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            contestants.add(() -> guard.watch("task-1").ask("search", "cats"));
        }

        assertThat(Race.<Verdict>between(contestants))
                .filteredOn(one -> one instanceof Passage)
                .hasSize(2);
    }

    @Test
    void withoutTheLedgerNothingPasses() {
        FaultyLedger faulty = new FaultyLedger(ledger);
        Watch watch = Guard.standard().countersIn(faulty).watch("task-1");
        Passage passage = (Passage) watch.ask("a", 1);
        faulty.fail(FaultyLedger.Point.BEFORE_SETTLE);
        passage.returned("its result is not lost with the count");
        faulty.fail(FaultyLedger.Point.BEFORE_CLAIM);

        assertThatThrownBy(() -> watch.ask("a", 2)).isInstanceOf(LedgerUnavailableException.class);
    }
}
