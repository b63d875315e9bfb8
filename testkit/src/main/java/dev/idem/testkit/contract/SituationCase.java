package dev.idem.testkit.contract;

import dev.idem.spi.Mark;
import dev.idem.spi.Settlement;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.function.Consumer;

/** The base of the contracts that begin in many states of one entry. */
abstract class SituationCase extends LedgerCase {
    /** A state of the entry at {@link LedgerCase#KEY}, with the steps that lead to it. */
    record Situation(String name, Consumer<SituationCase> arrange) {
        static final Situation NEVER_SEEN = new Situation("never seen", on -> {});

        static final Situation RUNNING = new Situation("in progress", SituationCase::take);

        static final Situation COMPLETE =
                new Situation("complete", on -> on.ledger().settle(on.take(), Settlements.completed("1")));

        static final Situation FAILED =
                new Situation("failed", on -> on.ledger().settle(on.take(), Settlements.failed()));

        static final Situation FAILED_FOR_GOOD = new Situation(
                "failed, the failure kept", on -> on.ledger().settle(on.take(), Settlements.failedForGood()));

        static final Situation DOUBTED =
                new Situation("in doubt", on -> on.ledger().settle(on.take(), Settlements.doubtful()));

        static final Situation LAPSED = new Situation("in progress, lease lapsed", on -> {
            on.take();
            on.passLease();
        });

        static final Situation STAGED_AND_LAPSED = new Situation("staged, lapsed without a mark", on -> {
            on.granted(on.request().withStaged(true));
            on.passLease();
        });

        static final Situation MARKED_AND_LAPSED = new Situation("staged, lapsed after a mark", on -> {
            Ticket ticket = on.granted(on.request().withStaged(true)).ticket();
            on.ledger().mark(ticket, Mark.of("charging"));
            on.passLease();
        });

        static final Situation PAST_LIMIT = new Situation("in doubt, past its time limit", on -> {
            on.take();
            on.passLimit();
        });

        static final Situation PROBING = new Situation("taken over by a probe", on -> {
            PAST_LIMIT.arrange.accept(on);
            on.takeOverToProbe();
        });

        static final Situation PROBED_IN_VAIN = new Situation("probed, still unknown", on -> {
            PAST_LIMIT.arrange.accept(on);
            on.ledger().settle(on.takeOverToProbe(), Settlements.doubtful());
        });

        static final Situation PROBED_AND_CLEARED = new Situation("probed, has not happened", on -> {
            PAST_LIMIT.arrange.accept(on);
            on.ledger().settle(on.takeOverToProbe(), Settlements.notExecuted());
        });

        static final Situation RERUNNING = new Situation("taken over, running again", on -> {
            LAPSED.arrange.accept(on);
            on.takeOver();
        });

        static final Situation RERUN_FAILED = new Situation("taken over, run again, failed", on -> {
            LAPSED.arrange.accept(on);
            on.ledger().settle(on.takeOver(), Settlements.failed());
        });

        static final Situation RERUN_LAPSED = new Situation("taken over staged, lapsed without a mark", on -> {
            LAPSED.arrange.accept(on);
            on.granted(on.request().withStaged(true).withTakeOver(TakeOver.RERUN));
            on.passLease();
        });

        static final Situation EXPIRED = new Situation("complete, retention over", on -> {
            COMPLETE.arrange.accept(on);
            on.pass(Settlements.DAY.keep());
        });

        static final Situation TOMBSTONE = new Situation("complete, retention over, tombstone kept", on -> {
            on.ledger().settle(on.take(), Settlements.completed("1", Settlements.DAY_AND_TOMBSTONE));
            on.pass(Settlements.DAY.keep());
        });

        static final Situation TOMBSTONE_GONE = new Situation("complete, retention and tombstone over", on -> {
            TOMBSTONE.arrange.accept(on);
            on.pass(Duration.ofHours(1));
        });

        static final Situation FORGOTTEN = new Situation("complete, then forgotten", on -> {
            COMPLETE.arrange.accept(on);
            on.ledger().forget(on.entry());
        });

        static final Situation RESOLVED_COMPLETE = new Situation("in doubt, then resolved as complete", on -> {
            DOUBTED.arrange.accept(on);
            resolve(on, Settlements.completed("2"));
        });

        static final Situation RESOLVED_FAILED = new Situation("in doubt, then resolved as failed", on -> {
            DOUBTED.arrange.accept(on);
            resolve(on, Settlements.failed());
        });

        private static void resolve(SituationCase on, Settlement how) {
            on.ledger().resolve(KEY, on.entry().fence(), how);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
