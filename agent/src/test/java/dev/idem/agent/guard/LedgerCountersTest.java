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
    private LoopGuard guard;

    @BeforeEach
    void openLedger() {
        ledger = open();
        guard = LoopGuard.standard().countersIn(ledger);
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
        ((AllowedCall) guard.watch("task-1").ask("search", "cats")).returned("seven");
        ((AllowedCall) guard.watch("task-1").ask("search", "cats")).returned("seven");

        assertThat(guard.watch("task-1").ask("search", "cats")).isInstanceOf(StoppedCall.class);
        assertThat(guard.watch("task-2").ask("search", "cats")).isInstanceOf(AllowedCall.class);
    }

    @Test
    void anotherProcessSeesFailuresAndWhatIsUnderWay() {
        LoopGuard limited = guard.session(Limits.none().calls(4).failures(1));
        LoopWatch here = limited.watch("task-1");
        LoopWatch there = limited.watch("task-1");
        AllowedCall open = (AllowedCall) here.ask("a", 1);

        assertThat(there.ask("b", 1)).isInstanceOf(AllowedCall.class);
        assertThat(there.used().calls()).isEqualTo(2);
        open.threw(new IOException());
        assertThat(((StoppedCall) there.ask("b", 2)).why()).isEqualTo(StoppedCall.Why.SESSION_FAILURES);
    }

    @Test
    void readsBeforeAWriteOfAnotherProcessDoNotCount() {
        LoopWatch here = guard.watch("task-1");
        ((AllowedCall) here.askRead("status", "k")).returned("open");
        ((AllowedCall) here.askRead("status", "k")).returned("open");
        ((AllowedCall) guard.watch("task-1").askKeyed("refund", "k")).changed("refunded");

        assertThat(guard.watch("task-1").askRead("status", "k")).isInstanceOf(AllowedCall.class);
        assertThat(here.askRead("status", "k")).isInstanceOf(AllowedCall.class);
        assertThat(here.askRead("status", "k")).isInstanceOf(StoppedCall.class);
    }

    @Test
    void norReadsBeforeAWriteInDoubtOfAnotherProcess() {
        LoopWatch here = guard.session(Limits.none().failures(2)).watch("task-1");
        ((AllowedCall) here.askRead("status", "k")).returned("open");
        ((AllowedCall) here.askRead("status", "k")).returned("open");
        AllowedCall write = (AllowedCall) guard.watch("task-1").askKeyed("refund", "k");
        write.mayHaveChanged();
        write.threw(new IOException("the answer was lost"));

        assertThat(guard.watch("task-1").askRead("status", "k")).isInstanceOf(AllowedCall.class);
        assertThat(here.askRead("status", "k")).isInstanceOf(AllowedCall.class);
        assertThat(here.used().failures()).isEqualTo(1);
    }

    @Test
    void whatWasResumedIsNotCountedElsewhereEither() {
        LoopWatch here = guard.watch("task-1");
        for (int i = 0; i < 5; i++) {
            ((AllowedCall) here.ask("search", "cats")).resumed();
        }

        assertThat(guard.watch("task-1").ask("search", "cats")).isInstanceOf(AllowedCall.class);
    }

    @Test
    void aRaceOfWatchesLetsTwoPass() {
        List<Callable<LoopVerdict>> contestants = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            contestants.add(() -> guard.watch("task-1").ask("search", "cats"));
        }

        assertThat(Race.<LoopVerdict>between(contestants))
                .filteredOn(one -> one instanceof AllowedCall)
                .hasSize(2);
    }

    @Test
    void withoutTheLedgerNothingPasses() {
        FaultyLedger faulty = new FaultyLedger(ledger);
        LoopWatch watch = LoopGuard.standard().countersIn(faulty).watch("task-1");
        AllowedCall passage = (AllowedCall) watch.ask("a", 1);
        faulty.fail(FaultyLedger.Point.BEFORE_SETTLE);
        passage.returned("its result is not lost with the count");
        faulty.fail(FaultyLedger.Point.BEFORE_CLAIM);

        assertThatThrownBy(() -> watch.ask("a", 2)).isInstanceOf(LedgerUnavailableException.class);
    }
}
