package dev.idem.agent.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.idem.Action;
import dev.idem.Idem;
import dev.idem.InDoubtException;
import dev.idem.Operation;
import dev.idem.Outcome;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.SideEffect;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A refund whose response gets lost, tried again: with the same key, under one ticket. */
class RefundWithRetryTest {
    private static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Retry retry = Retry.standard().maxAttempts(3).timing(new SettableTiming());
    private final Payments payments = new Payments();

    /** Makes refunds and loses responses. Told the key, it makes each refund once. */
    private static final class Payments {
        final Map<String, String> refunds = new HashMap<>();
        final List<String> keysSeen = new ArrayList<>();
        final List<IOException> troubles = new ArrayList<>();

        String refund(String order, String key) throws IOException {
            IOException trouble = troubles.isEmpty() ? null : troubles.remove(0);
            if (trouble instanceof ConnectException) {
                throw trouble;
            }
            keysSeen.add(key);
            String refund = refunds.computeIfAbsent(key, one -> "re_" + (refunds.size() + 1) + " of " + order);
            if (trouble != null) {
                throw trouble;
            }
            return refund;
        }
    }

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void theResponseIsLostTheSameKeyGoesAgainAndThereIsOneRefundWithoutAPerson() throws IOException {
        payments.troubles.add(new SocketTimeoutException("the response was lost"));

        Outcome.Valued<String> refund = refundWithRetry("o-7");

        assertThat(refund.value()).isEqualTo("re_1 of o-7");
        assertThat(payments.refunds).hasSize(1);
        assertThat(payments.keysSeen).hasSize(2);
        assertThat(payments.keysSeen.get(0)).isEqualTo(payments.keysSeen.get(1));
        assertThat(refundWithRetry("o-7").replayed()).isTrue();
        assertThat(payments.keysSeen).hasSize(2);
    }

    @Test
    void withoutARemoteThatKnowsTheKeyItIsInDoubtAndNotTriedAgain() {
        payments.troubles.add(new SocketTimeoutException("the response was lost"));

        assertThatThrownBy(() -> refund(Permit.of(SideEffect.WRITE))).isInstanceOf(SocketTimeoutException.class);

        assertThat(payments.keysSeen).hasSize(1);
        assertThatThrownBy(() -> refund(Permit.of(SideEffect.WRITE))).isInstanceOf(InDoubtException.class);
        assertThat(payments.keysSeen).hasSize(1);
    }

    @Test
    void aConnectionThatWasRefusedIsTriedAgainEvenSo() throws IOException {
        payments.troubles.add(new ConnectException("refused"));

        assertThat(refund(Permit.of(SideEffect.WRITE))).isEqualTo("re_1 of o-7");
    }

    @Test
    void aDefiniteFailureAfterAnAmbiguousTryIsInDoubt() {
        payments.troubles.add(new SocketTimeoutException("the response was lost"));
        payments.troubles.add(new ConnectException("refused"));
        payments.troubles.add(new ConnectException("refused"));

        // By this classifier the last failure is definite, whatever is attached to it.
        Throwable thrown = catchThrowable(() -> idem.operation("refund_order")
                .key("o-7")
                .policy(Policy.unset().definiteOn(ConnectException.class))
                .returning(String.class)
                .run(around(Permit.ALWAYS)));

        assertThat(thrown).isInstanceOf(ConnectException.class);
        assertThat(thrown.getSuppressed()).hasAtLeastOneElementOfType(InDoubtException.class);
        assertThat(payments.refunds).hasSize(1);
    }

    @Test
    void whatAnInnerOperationThrewProvesNothingSoAWriteIsNotTriedAgain() {
        List<String> effects = new ArrayList<>();
        Operation<String> outer = idem.operation("checkout").key("o-7").returning(String.class);

        Outcome<String> outcome = outer.policy(Policy.unset().classify(Failures.known()))
                .attempt(retry.<String, Exception>around(Permit.IF_NOTHING_HAPPENED, call -> {
                    effects.add("a letter is sent");
                    return idem.operation("pay")
                            .key("o-7")
                            .policy(Policy.unset().classify(Failures.known()))
                            .returning(String.class)
                            .run(inner -> {
                                throw new ConnectException("refused");
                            });
                }));

        assertThat(outcome).isInstanceOf(Outcome.InDoubt.class);
        assertThat(effects).hasSize(1);
    }

    @Test
    void aFailureThatIsDefiniteLeavesTheEntryFailed() {
        for (int i = 0; i < 3; i++) {
            payments.troubles.add(new ConnectException("refused"));
        }

        Outcome<String> outcome = operation().attempt(around(Permit.of(SideEffect.WRITE)));

        assertThat(outcome).isInstanceOf(Outcome.Failed.class);
        assertThat(payments.troubles).isEmpty();
    }

    private Outcome.Valued<String> refundWithRetry(String order) throws IOException {
        return (Outcome.Valued<String>) idem.operation("refund_order")
                .scope("support-7")
                .identity(Map.of("order_id", order))
                .policy(Policy.unset().passesKeyTo(STRIPE).classify(Failures.stripe()))
                .returning(String.class)
                .attempt(retry.around(Permit.of(SideEffect.WRITE, STRIPE), call -> payments.refund(order, call.key())));
    }

    private Operation<String> operation() {
        return idem.operation("refund_order")
                .key("o-7")
                .policy(Policy.unset().classify(Failures.known()))
                .returning(String.class);
    }

    private String refund(Permit permit) throws IOException {
        return operation().run(around(permit));
    }

    private Action<String, IOException> around(Permit permit) {
        return retry.around(permit, call -> payments.refund("o-7", call.key()));
    }
}
