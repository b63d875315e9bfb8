package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.NotExecutedException;
import dev.idem.Policy;
import dev.idem.agent.retry.Jitter;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.retry.Timing;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Automatic retries by the side effect of the tool: with the same key and the same arguments. */
final class TriedAgainTest extends CallCase {
    @Test
    void anUntaggedToolThatTimesOutIsNotTriedAgain() {
        ToolAnswer answer = retrying(Tool.named("refund").run(losing)).call("refund", ORDER);

        assertThat(answer.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(keys).hasSize(1);
    }

    @Test
    void oneThatIsIdempotentIsTriedAgainWithTheSameKey() {
        Tool refund = Tool.named("refund").policy(Policy.idempotent()).run(losing);

        assertThat(retrying(refund).call("refund", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void oneThatPassesItsKeyToARemoteIsTriedAgainWithTheSameKey() {
        Tool refund =
                Tool.named("refund").policy(Policy.unset().passesKeyTo(STRIPE)).run(losing);

        assertThat(retrying(refund).call("refund", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2).containsOnly(keys.get(0));
    }

    @Test
    void aDestructiveOneIsNeverTriedAgainEvenTaggedBoth() {
        Tool refund = Tool.named("refund")
                .policy(Policy.idempotent())
                .policy(Policy.destructive().passesKeyTo(STRIPE))
                .run(losing);

        assertThat(retrying(refund).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
        assertThat(retrying(refund).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
        assertThat(keys).hasSize(1);
    }

    @Test
    void thePolicyOfAToolSetsHowManyTimesItIsTried() {
        Tool once = Tool.named("refund").policy(Policy.idempotent().retry(1)).run(losing);

        assertThat(retrying(once).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
        assertThat(keys).hasSize(1);
    }

    @Test
    void anUntaggedOneIsTriedAgainWhenNothingHappened() {
        Tool refund = Tool.named("refund")
                .policy(Policy.unset().definiteOn(SocketTimeoutException.class))
                .run(losing);

        assertThat(retrying(refund).call("refund", ORDER).text()).isEqualTo("refunded");
        assertThat(keys).hasSize(2);
    }

    @Test
    void aDefiniteFailureAfterAnAmbiguousOneIsInDoubtAllTheSame() {
        Tool refund = Tool.named("refund").policy(Policy.idempotent()).run((call, in) -> {
            losing.run(call, in);
            throw new NotExecutedException("refused");
        });

        assertThat(retrying(refund).call("refund", ORDER).status()).isEqualTo(Status.IN_DOUBT);
    }

    @Test
    void noTryBeginsAfterTheTimeInWhichItMayAct() {
        AtomicLong nanos = new AtomicLong();
        Tool mail = Tool.named("mail")
                .policy(Policy.unset().timeLimit(Duration.ofSeconds(1)))
                .run((call, in) -> {
                    keys.add(call.key());
                    throw new NotExecutedException("busy");
                });
        Retry patient = Retry.standard()
                .baseDelay(Duration.ofSeconds(1))
                .jitter(Jitter.NONE)
                .timing(new Sleeping(nanos));
        try (Idem timed =
                Idem.builder().ledger("memory:").nanos(nanos::get).quiet().open()) {
            Session session = Session.builder(timed)
                    .id("order-1")
                    .tools(mail)
                    .retry(patient)
                    .open();

            assertThat(session.call("mail", ORDER).status()).isEqualTo(Status.FAILED);
        }

        assertThat(keys).hasSize(1);
    }

    /** Time that passes only by sleeping. */
    private record Sleeping(AtomicLong time) implements Timing {
        @Override
        public long nanos() {
            return time.get();
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(time.get());
        }

        @Override
        public void sleep(Duration duration) {
            time.addAndGet(duration.toNanos());
        }

        @Override
        public Alarm after(Duration duration, Runnable task) {
            return () -> {};
        }
    }

    private record Wanted(List<String> ids) {}

    @Test
    void codeThatChangesItsArgumentsChangesThoseOfNoOtherCall() {
        Tool lookup =
                Tool.named("lookup").policy(Policy.read()).input(Wanted.class).run((call, in) -> drained(in));
        Session session = Session.of(idem, "order-1", lookup);
        String json = "{\"ids\":[\"a\",\"b\"]}";

        assertThat(session.call("lookup", json).value()).isEqualTo("a b");
        assertThat(session.call("lookup", json).value()).isEqualTo("a b");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whatIsTriedOrCalledAgainRunsWithTheArgumentsThatItsKeyWasMadeFrom(int tries) {
        Tool send = Tool.named("send")
                .input(Wanted.class)
                .retry(quick.maxAttempts(tries))
                .run((call, in) -> {
                    keys.add(drained(in));
                    if (keys.size() == 1) {
                        throw new NotExecutedException("locked");
                    }
                    return "sent";
                });
        Session session = Session.of(idem, "order-1", send);
        String json = "{\"ids\":[\"a\",\"b\"]}";

        session.call("send", json);
        assertThat(session.call("send", json).value()).isEqualTo("sent");

        assertThat(keys).containsExactly("a b", "a b");
    }

    private static String drained(Wanted in) {
        String all = String.join(" ", in.ids());
        in.ids().clear();
        return all;
    }

    private Session retrying(Tool tool) {
        return Session.builder(idem).id("order-1").tools(tool).retry(quick).open();
    }
}
