package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.LedgerUnavailableException;
import dev.idem.Listener;
import dev.idem.NotExecutedException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.Probe;
import dev.idem.spi.Fence;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.TakeOver;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.Settlements;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: take-overs of entries in doubt are visible, also to the previous owner. */
abstract class TakeOverHazards extends EngineCase {
    private final List<Entry> taken = new ArrayList<>();
    private final List<TakeOver> how = new ArrayList<>();
    private final Listener watching = new Listener() {
        @Override
        public void tookOver(Entry entry, TakeOver kind) {
            taken.add(entry);
            how.add(kind);
        }
    };

    @Test
    void whatIsRunAgainIsToldAndCountedAsATakeOver() {
        Fence doubted = leftInDoubt();
        Idem taker = watched();

        charge(taker).policy(Policy.unset().rerunOnDoubt()).run(call -> act());

        assertThat(how).containsExactly(TakeOver.RERUN);
        assertThat(taken.get(0).address()).isEqualTo(KEY);
        assertThat(taken.get(0).fence()).isGreaterThan(doubted);
        assertThat(taken.get(0).attempt()).isEqualTo(2);
        assertThat(taken.get(0).doubt()).as("it sticks").isNotNull();
        assertThat(taker.counts().takeOvers()).isEqualTo(1);
        assertThat(taker.counts().runs()).isEqualTo(1);
    }

    @Test
    void whatIsProbedIsToldAndCountedAsATakeOverAndNotAsARun() {
        Fence doubted = leftInDoubt();
        passLimit();
        Idem taker = watched();

        charge(taker).probe(asked -> Probe.Verdict.happened("found")).run(call -> act());

        assertThat(how).containsExactly(TakeOver.PROBE);
        assertThat(taken.get(0).probing()).isTrue();
        assertThat(taken.get(0).tenure().acted()).isEqualTo(doubted);
        assertThat(taken.get(0).attempt()).isEqualTo(1);
        assertThat(taker.counts().takeOvers()).isEqualTo(1);
        assertThat(taker.counts().runs()).isZero();
    }

    @Test
    void whatIsRefusedReplayedOrHasFailedIsNoTakeOver() {
        leftInDoubt();
        Idem idem = watched();
        assertThatThrownBy(() -> charge(idem).run(call -> act())).isInstanceOf(InDoubtException.class);
        assertThatThrownBy(() -> operation(idem, KEY.withOperation("other")).run(call -> {
                    throw new NotExecutedException("not today");
                }))
                .isInstanceOf(NotExecutedException.class);
        operation(idem, KEY.withOperation("other")).run(call -> "done");
        operation(idem, KEY.withOperation("other")).run(call -> "again");

        assertThat(how).isEmpty();
        assertThat(idem.counts().takeOvers()).isZero();
    }

    /**
     * A probe has found the effect of a slow owner, whose action then threw. Its caller was told that nothing had
     * happened, while all others got the result.
     */
    @Test
    void slowOwnerThatThrowsAfterAProbeFoundItsEffectGetsWhatEverybodyGets() {
        Outcome<String> owner = charge(idem()).attempt(call -> {
            act();
            passLimit();
            charge(idem()).probe(doubted -> Probe.Verdict.happened("found")).run(other -> act());
            throw new IOException("response lost");
        });

        assertThat(owner)
                .isInstanceOfSatisfying(
                        Outcome.Replayed.class,
                        replayed -> assertThat(replayed.value()).isEqualTo("found"));
        assertThat(effects()).isEqualTo(1);
    }

    /** The prober got a NullPointerException. */
    @Test
    void ownerCompletesWhileAProbeIsAskedAndATombstoneIsAllThatIsLeftTheProberIsToldSo() {
        Ticket owner = granted(request(Fingerprints.NONE)).ticket();
        passLimit();

        Outcome<String> prober = charge(idem())
                .probe(doubted -> {
                    ledger().settle(owner, Settlements.completed("\"late\"", Settlements.DAY_AND_TOMBSTONE));
                    leaveATombstone();
                    return Probe.Verdict.happened("found");
                })
                .attempt(call -> act());

        assertThat(prober).isInstanceOf(Outcome.Expired.class);
        assertThat(effects()).isZero();
    }

    /** The owner was told that another one had overtaken it. */
    @Test
    void lostAnswerToASettleAndATombstoneIsAllThatIsLeftTheOwnerGetsItsValue() {
        FaultyLedger faulty = new FaultyLedger(ledger()).at(FaultyLedger.Point.AFTER_SETTLE, () -> {
            leaveATombstone();
            throw new LedgerUnavailableException("no answer, by order", null);
        });

        Outcome<String> owner = brief(idem(faulty, processes().startOwner())).attempt(call -> act());

        assertThat(owner).isInstanceOf(Outcome.Done.class);
        assertThat(effects()).isEqualTo(1);
    }

    /** Its caller was told that nothing had happened. */
    @Test
    void slowOwnerThatThrowsAfterAProbeFoundItsEffectAndATombstoneIsAllThatIsLeftIsNotToldOfAFailure() {
        Outcome<String> owner = brief(idem()).attempt(call -> {
            act();
            passLimit();
            brief(idem()).probe(doubted -> Probe.Verdict.happened("found")).run(other -> act());
            leaveATombstone();
            throw new NotExecutedException("the second try was refused");
        });

        assertThat(owner).isInstanceOf(Outcome.Expired.class);
        assertThat(effects()).isEqualTo(1);
    }

    private static Operation<String> brief(Idem idem) {
        return charge(idem).policy(Policy.unset().retention(Settlements.DAY_AND_TOMBSTONE));
    }

    private void leaveATombstone() {
        pass(Settlements.DAY.keep());
        assertThat(capability(Browsable.class).purge(100)).isEqualTo(1);
    }

    private Fence leftInDoubt() {
        Fence fence = granted(request(Fingerprints.NONE)).fence();
        passLease();
        return fence;
    }

    private Idem watched() {
        return open(builder(ledger(), processes().startOwner()).listener(watching));
    }
}
