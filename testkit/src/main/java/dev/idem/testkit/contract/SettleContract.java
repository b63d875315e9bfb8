package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Settled;
import dev.idem.spi.Settled.Already;
import dev.idem.spi.Settled.Recorded;
import dev.idem.spi.Settled.Stale;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The answers of settles and the entries after them, for every kind of ticket. */
@Tag(LedgerContract.RULES)
abstract class SettleContract extends LedgerCase {
    private static final Settlement COMPLETED = Settlements.completed("\"settled\"");
    private static final Settlement FAILED = Settlements.failed();
    private static final Settlement NOT_EXECUTED = Settlements.notExecuted();
    private static final Settlement DOUBTFUL = Settlements.doubtful();

    private static final Map<Settlement, String> WORDS =
            Map.of(COMPLETED, "Completed", FAILED, "Failed", NOT_EXECUTED, "NotExecuted", DOUBTFUL, "Doubtful");

    record Row(
            String who,
            Function<SettleContract, Ticket> ticket,
            Settlement how,
            Class<? extends Settled> answer,
            @Nullable State after) {
        @Override
        public String toString() {
            return who + " settles " + WORDS.get(how) + ": " + answer.getSimpleName() + ", "
                    + (after == null ? "absent" : after.word());
        }
    }

    static List<Row> table() {
        List<Row> rows = new ArrayList<>();
        current(rows, "the current ticket", SettleContract::take);
        current(rows, "a lapsed ticket without a take-over", SettleContract::lapsed);
        doubted(
                rows,
                "a ticket that took over to run again",
                on -> {
                    on.lapsed();
                    return on.takeOver();
                },
                State.IN_DOUBT);
        doubted(
                rows,
                "a ticket that took over to probe",
                on -> {
                    on.pastLimit();
                    return on.takeOverToProbe();
                },
                State.FAILED);
        again(rows, "complete", COMPLETED, State.COMPLETE, Already.class, State.COMPLETE);
        again(rows, "failed", FAILED, State.FAILED, Already.class, State.FAILED);
        again(rows, "cleared", NOT_EXECUTED, State.FAILED, Already.class, State.FAILED);
        again(rows, "in doubt", DOUBTFUL, State.IN_DOUBT, Recorded.class, State.COMPLETE);
        older(rows, "an older ticket, run again", SettleContract::rerun, State.IN_PROGRESS);
        older(rows, "an older ticket, run again and complete", on -> on.rerunAnd(COMPLETED), State.COMPLETE);
        older(rows, "an older ticket, run again and failed", on -> on.rerunAnd(FAILED), State.IN_DOUBT);
        older(rows, "an older ticket, run again and doubtful", on -> on.rerunAnd(DOUBTFUL), State.IN_DOUBT);
        older(rows, "an older ticket, failed and claimed again", SettleContract::claimedAgain, State.IN_PROGRESS);
        older(rows, "an older ticket, probed and cleared", on -> on.probedAnd(NOT_EXECUTED), State.FAILED);
        older(rows, "an older ticket, cleared and run again", SettleContract::clearedAndRun, State.IN_PROGRESS);
        older(rows, "an older ticket, resolved as failed", on -> on.resolvedAs(FAILED), State.FAILED);
        older(rows, "an older ticket, resolved as complete", on -> on.resolvedAs(COMPLETED), State.COMPLETE);
        older(rows, "the ticket of a forgotten entry", SettleContract::forgotten, null);
        older(rows, "the ticket of a forgotten entry, claimed again", SettleContract::reclaimed, State.IN_PROGRESS);
        welcome(rows, "the doubted ticket while the taker probes", SettleContract::probed, State.IN_PROGRESS);
        welcome(rows, "the doubted ticket, probed in vain", on -> on.probedAnd(DOUBTFUL), State.IN_DOUBT);
        welcome(rows, "the doubted ticket, probe gone", SettleContract::probeLapsed, State.IN_DOUBT);
        welcome(rows, "the doubted ticket, probed in vain twice", SettleContract::probedTwice, State.IN_DOUBT);
        return rows;
    }

    private static void current(List<Row> rows, String who, Function<SettleContract, Ticket> ticket) {
        rows.add(new Row(who, ticket, COMPLETED, Recorded.class, State.COMPLETE));
        rows.add(new Row(who, ticket, FAILED, Recorded.class, State.FAILED));
        rows.add(new Row(who, ticket, NOT_EXECUTED, Recorded.class, State.FAILED));
        rows.add(new Row(who, ticket, DOUBTFUL, Recorded.class, State.IN_DOUBT));
    }

    /** Only a probe's verdict clears a doubt. */
    private static void doubted(
            List<Row> rows, String who, Function<SettleContract, Ticket> ticket, State afterVerdict) {
        rows.add(new Row(who, ticket, COMPLETED, Recorded.class, State.COMPLETE));
        rows.add(new Row(who, ticket, FAILED, Recorded.class, State.IN_DOUBT));
        rows.add(new Row(who, ticket, NOT_EXECUTED, Recorded.class, afterVerdict));
        rows.add(new Row(who, ticket, DOUBTFUL, Recorded.class, State.IN_DOUBT));
    }

    private static void again(
            List<Row> rows, String what, Settlement first, State was, Class<? extends Settled> late, State then) {
        Function<SettleContract, Ticket> ticket = on -> on.settledAs(first);
        String who = "the current ticket, " + what + " before,";
        rows.add(new Row(who, ticket, COMPLETED, late, then));
        rows.add(new Row(who, ticket, FAILED, Already.class, was));
        rows.add(new Row(who, ticket, NOT_EXECUTED, Already.class, was));
        rows.add(new Row(who, ticket, DOUBTFUL, Already.class, was));
    }

    private static void older(
            List<Row> rows, String who, Function<SettleContract, Ticket> ticket, @Nullable State state) {
        for (Settlement how : List.of(COMPLETED, FAILED, NOT_EXECUTED, DOUBTFUL)) {
            rows.add(new Row(who, ticket, how, Stale.class, state));
        }
    }

    private static void welcome(List<Row> rows, String who, Function<SettleContract, Ticket> ticket, State otherwise) {
        rows.add(new Row(who, ticket, COMPLETED, Recorded.class, State.COMPLETE));
        for (Settlement how : List.of(FAILED, NOT_EXECUTED, DOUBTFUL)) {
            rows.add(new Row(who, ticket, how, Stale.class, otherwise));
        }
    }

    private Ticket lapsed() {
        Ticket ticket = take();
        passLease();
        return ticket;
    }

    private Ticket pastLimit() {
        Ticket ticket = take();
        passLimit();
        return ticket;
    }

    private Ticket settledAs(Settlement how) {
        Ticket ticket = take();
        ledger().settle(ticket, how);
        return ticket;
    }

    private Ticket rerun() {
        Ticket older = lapsed();
        takeOver();
        return older;
    }

    private Ticket rerunAnd(Settlement how) {
        Ticket older = lapsed();
        ledger().settle(takeOver(), how);
        return older;
    }

    private Ticket claimedAgain() {
        Ticket older = settledAs(FAILED);
        take();
        return older;
    }

    private Ticket probed() {
        Ticket older = pastLimit();
        takeOverToProbe();
        return older;
    }

    private Ticket probedAnd(Settlement how) {
        Ticket older = pastLimit();
        ledger().settle(takeOverToProbe(), how);
        return older;
    }

    private Ticket probedTwice() {
        Ticket older = probedAnd(DOUBTFUL);
        ledger().settle(takeOverToProbe(), DOUBTFUL);
        return older;
    }

    private Ticket probeLapsed() {
        Ticket older = probed();
        passLease();
        return older;
    }

    private Ticket clearedAndRun() {
        Ticket older = probedAnd(NOT_EXECUTED);
        take();
        return older;
    }

    private Ticket resolvedAs(Settlement how) {
        Ticket older = settledAs(DOUBTFUL);
        ledger().resolve(KEY, older.fence(), how);
        return older;
    }

    private Ticket forgotten() {
        Ticket older = settledAs(COMPLETED);
        ledger().forget(entry());
        return older;
    }

    private Ticket reclaimed() {
        Ticket older = forgotten();
        take();
        return older;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void settleTable(Row row) {
        Ticket ticket = row.ticket().apply(this);
        Settled settled = ledger().settle(ticket, row.how());
        assertThat(settled).isInstanceOf(row.answer());
        assertThat(ledger().find(KEY).map(Entry::state).orElse(null)).isEqualTo(row.after());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("table")
    void theAnswerShowsTheEntryAsItIs(Row row) {
        Ticket ticket = row.ticket().apply(this);
        Entry before = ledger().find(KEY).orElse(null);
        Settled settled = ledger().settle(ticket, row.how());
        Entry after = ledger().find(KEY).orElse(null);
        assertThatAllOf(entryOf(settled)).isEqualTo(after);
        if (!(settled instanceof Recorded)) {
            assertThatAllOf(after).isEqualTo(before);
        }
    }

    private static @Nullable Entry entryOf(Settled settled) {
        if (settled instanceof Recorded recorded) {
            return recorded.entry();
        }
        return settled instanceof Already already ? already.entry() : ((Stale) settled).entry();
    }

    @Test
    void aSettleSentAgainIsAnsweredAlready() {
        Ticket ticket = take();
        Recorded recorded = answer(Recorded.class, ledger().settle(ticket, COMPLETED));
        Already already = answer(Already.class, ledger().settle(ticket, COMPLETED));
        assertThatAllOf(already.entry()).isEqualTo(recorded.entry());
    }

    @Test
    void theFirstResultStaysWhenAnotherIsSettled() {
        Ticket ticket = take();
        ledger().settle(ticket, COMPLETED);
        ledger().settle(ticket, Settlements.completed("\"another\""));
        assertThat(entry().settlement()).isEqualTo(COMPLETED);
    }

    @Test
    void aTicketForAnotherKeyEndsNothing() {
        Ticket ticket = take();
        Ticket elsewhere = new Ticket(KEY.withOperation("refund"), ticket.fence());
        assertThat(ledger().settle(elsewhere, COMPLETED)).isEqualTo(new Stale(null));
        assertThat(entry().state()).isEqualTo(State.IN_PROGRESS);
    }

    @Test
    void theProbingTakerLearnsOfTheLateCompletion() {
        Ticket doubted = pastLimit();
        Ticket prober = takeOverToProbe();
        ledger().settle(doubted, COMPLETED);
        Already already = answer(Already.class, ledger().settle(prober, NOT_EXECUTED));
        assertThat(already.entry().settlement()).isEqualTo(COMPLETED);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void settlingKeepsWhatTheClaimSaid() {
        Entry claimed =
                granted(request().withLabels(Map.of("customer", "cus_1")).withParent(KEY.withOperation("checkout")));
        ledger().settle(claimed.ticket(), COMPLETED);
        assertThatAllOf(entry())
                .ignoringFields("state", "settlement", "tenure.lease", "times.settled", "times.expires")
                .isEqualTo(claimed);
    }

    @Test
    void settlingSetsTheTimes() {
        Ticket ticket = take();
        pass(LEASE.dividedBy(2));
        ledger().settle(ticket, COMPLETED);
        assertThat(entry().times().settled()).isEqualTo(clocks().now().wall());
        assertThat(entry().times().expires()).isEqualTo(clocks().now().wall().plus(Settlements.DAY.keep()));
        assertThat(entry().tenure().lease()).isEqualTo(clocks().now());
    }
}
