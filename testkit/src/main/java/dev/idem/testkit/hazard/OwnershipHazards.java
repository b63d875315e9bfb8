package dev.idem.testkit.hazard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.SelfWaitException;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.testkit.EngineCase;
import dev.idem.testkit.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** The engine on a ledger: several callers believe that they own an operation. */
abstract class OwnershipHazards extends EngineCase {

    @Test
    void checkThenMarkSixteenAtOnceInTwoProcessesOneEffectAndSixteenEqualAnswers() {
        Idem one = idem();
        Idem two = idem();
        List<Callable<String>> callers = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            Idem idem = i % 2 == 0 ? one : two;
            callers.add(() -> charge(idem).run(call -> act()));
        }

        List<String> answers = Race.between(callers);

        assertThat(effects()).isEqualTo(1);
        assertThat(answers).hasSize(16).containsOnly(KEY.key() + " #1");
    }

    @Test
    void leaseEndsWhileASlowOwnerWorksTheLateResultIsRefusedLoudlyAndTheSuccessorsStays() {
        Idem slow = idem();
        Idem successor = idem();

        assertThatThrownBy(() -> charge(slow).run(call -> {
                    passLease();
                    charge(successor).policy(Policy.unset().rerunOnDoubt()).run(other -> "successor");
                    return "slow";
                }))
                .isInstanceOfSatisfying(StaleTicketException.class, stale -> {
                    assertThat(stale.value()).isEqualTo("slow");
                    assertThat(stale).hasMessageContaining("stale").hasMessageContaining("complete");
                });

        assertThat(slow.counts().refusals()).isEqualTo(1);
        assertThat(charge(idem()).run(call -> act())).isEqualTo("successor");
        assertThat(effects()).isZero();
    }

    @Test
    void leaseEndsWhileASlowOwnerWorksItsLateExceptionChangesNothingEither() {
        Idem slow = idem();
        Idem successor = idem();

        assertThatThrownBy(() -> charge(slow).run(call -> {
                    passLease();
                    charge(successor).policy(Policy.unset().rerunOnDoubt()).run(other -> "successor");
                    throw new NotExecutedException("late");
                }))
                .isInstanceOf(NotExecutedException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(StaleTicketException.class));

        assertThat(slow.counts().refusals()).isEqualTo(1);
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void leaseEndsWhileASlowOwnerWorksNobodyTookOverSoItsNewsIsGoodNews() {
        Outcome.Valued<String> outcome = (Outcome.Valued<String>) charge(idem()).attempt(call -> {
            passLease();
            return act();
        });

        assertThat(outcome.value()).isEqualTo(KEY.key() + " #1");
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void anOperationInsideItselfIsRefusedAtOnceWithTheChainOfParents() {
        Idem idem = idem();

        assertThatThrownBy(() -> charge(idem)
                        .run(call -> idem.operation("mail")
                                .key("m")
                                .returning(String.class)
                                .run(inner -> charge(idem).run(again -> act()))))
                .isInstanceOfSatisfying(
                        SelfWaitException.class,
                        refused -> assertThat(refused.chain())
                                .extracting(address -> address.operation())
                                .containsExactly("charge", "mail"));
        assertThat(effects()).isZero();
    }
}
