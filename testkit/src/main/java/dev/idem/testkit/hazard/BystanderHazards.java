package dev.idem.testkit.hazard;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Codec;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.LedgerUnavailableException;
import dev.idem.Listener;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.ResultUnavailableException;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.Warning;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Payload;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.FaultyLedger;
import dev.idem.testkit.FaultyLedger.Point;
import java.io.IOException;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The engine on a ledger: unexpected exceptions of the code around an action. */
abstract class BystanderHazards extends EngineCase {

    /** A failed assertion in a listener is an Error and not an Exception; it replaced the value. */
    @Test
    void aListenerThrowsAnErrorTheCallIsNotAffected() {
        Idem idem = open(builder(ledger(), processes().startOwner()).listener(new Listener() {
            @Override
            public void granted(Entry entry) {
                throw new AssertionError("granted");
            }

            @Override
            public void settled(Entry entry) {
                throw new AssertionError("settled");
            }
        }));

        assertThat(charge(idem).run(call -> act())).isEqualTo(KEY.key() + " #1");
    }

    /** The listener runs inside the call; its own call waited for that call until the wait timed out. */
    @Test
    @Timeout(30)
    void aListenerAsksForTheOperationItIsToldAboutItIsAnsweredAtOnce() {
        AtomicReference<Idem> own = new AtomicReference<>();
        AtomicReference<Outcome<String>> answer = new AtomicReference<>();
        Idem idem = open(builder(ledger(), processes().startOwner()).listener(new Listener() {
            @Override
            public void settled(Entry entry) {
                answer.set(charge(requireNonNull(own.get()))
                        .policy(Policy.unset().waitFor(Duration.ofHours(1)))
                        .attempt(call -> act()));
            }
        }));
        own.set(idem);

        charge(idem).policy(Policy.unset().waitFor(Duration.ofHours(1))).run(call -> act());

        assertThat(requireNonNull(answer.get()).value()).isEqualTo(KEY.key() + " #1");
        assertThat(effects()).isEqualTo(1);
    }

    /** A missing class of a codec is noticed at its first use, after the effect. The entry was never settled. */
    @Test
    void aCodecThrowsAnErrorTheOperationIsCompleteAndTheValueIsGiven() {
        Idem idem = open(builder(ledger(), processes().startOwner()).codec(new BrokenCodec()));

        Outcome.Valued<String> outcome = (Outcome.Valued<String>) charge(idem).attempt(call -> act());

        assertThat(outcome.value()).isEqualTo(KEY.key() + " #1");
        assertThat(outcome.warnings()).extracting(Warning::code).containsExactly(Warning.Code.NOT_REPLAYABLE);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    /** A text was replayed as a number, and the caller's first use failed with a ClassCastException. */
    @Test
    void aResultIsAskedForAsAnotherTypeTheCallerIsToldThatItCannotBeHad() {
        charge(idem()).run(call -> act());

        assertThatThrownBy(() -> charge(idem()).returning(Integer.class).run(call -> 1))
                .isInstanceOf(ResultUnavailableException.class)
                .hasMessageContaining("java.lang.Integer")
                .hasMessageContaining("not run again");
        assertThat(effects()).isEqualTo(1);
    }

    @Test
    void aClassifierThrowsTheActionsOwnExceptionIsPassedOnAndTheEntryIsInDoubt() {
        assertThatThrownBy(() -> charge(idem())
                        .policy(Policy.unset().classify(thrown -> {
                            throw new IllegalStateException("can't judge");
                        }))
                        .run(call -> {
                            act();
                            throw new IOException("response lost");
                        }))
                .isInstanceOf(IOException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(IllegalStateException.class));
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    @Test
    void anExceptionThatCannotTellItsMessageIsPassedOnAndTheEntryIsInDoubt() {
        assertThatThrownBy(() -> charge(idem()).run(call -> {
                    act();
                    throw new MuteException();
                }))
                .isInstanceOf(MuteException.class);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }

    /** The engine passed a driver's own exception to the caller, and the value was lost. */
    @Test
    void aLedgerThrowsSomethingElseAtTheSettleTheResultIsHandedBack() {
        FaultyLedger faulty = new FaultyLedger(ledger()).at(Point.BEFORE_SETTLE, BystanderHazards::breakDriver);

        assertThatThrownBy(() -> charge(idem(faulty, processes().startOwner())).run(call -> act()))
                .isInstanceOfSatisfying(
                        UnrecordedException.class,
                        unrecorded -> assertThat(unrecorded.value()).isEqualTo(KEY.key() + " #1"));
    }

    @Test
    void aLedgerThrowsSomethingElseAtTheSettleTheActionsOwnExceptionIsPassedOn() {
        FaultyLedger faulty = new FaultyLedger(ledger()).at(Point.BEFORE_SETTLE, BystanderHazards::breakDriver);

        assertThatThrownBy(() -> charge(idem(faulty, processes().startOwner())).run(call -> {
                    throw new IOException("response lost");
                }))
                .isInstanceOf(IOException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(UnrecordedException.class));
    }

    /**
     * The failure is recorded, its answer is lost, and another caller runs the operation before the settle is sent
     * again. Nothing happened in this attempt, but its outcome was reported as in doubt.
     */
    @Test
    void theAnswerToAFailureIsLostAndAnotherRunsItMeanwhileTheOutcomeIsAFailureAllTheSame() {
        FaultyLedger faulty = new FaultyLedger(ledger()).at(Point.AFTER_SETTLE, () -> {
            charge(idem()).run(other -> act());
            throw new LedgerUnavailableException("the answer is lost", null);
        });

        Outcome<String> outcome = charge(idem(faulty, processes().startOwner())).attempt(call -> {
            throw new NotExecutedException("refused");
        });

        assertThat(outcome)
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.failure().getSuppressed())
                                .hasAtLeastOneElementOfType(StaleTicketException.class));
    }

    /** An exception of a probe means "unknown"; an Error left the entry in flight until its lease expired. */
    @Test
    void aProbeThrowsAnErrorTheEntryIsInDoubtAsBefore() {
        granted(request(Fingerprints.NONE));
        passLimit();

        assertThatThrownBy(() -> charge(idem())
                        .probe(doubted -> {
                            throw new AssertionError("probe");
                        })
                        .run(call -> act()))
                .isInstanceOf(InDoubtException.class);
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
        assertThat(effects()).isZero();
    }

    private static void breakDriver() {
        throw new IllegalStateException("a driver's own exception");
    }

    private static final class MuteException extends IOException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }
    }

    private static final class BrokenCodec implements Codec {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public boolean handles(Type type) {
            return true;
        }

        @Override
        public Payload encode(Object value, Type type) {
            throw new NoClassDefFoundError("com/example/Missing");
        }

        @Override
        public Object decode(Payload payload, Type type) {
            throw new NoClassDefFoundError("com/example/Missing");
        }
    }
}
