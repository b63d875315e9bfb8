package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.RemoteKeys;
import dev.idem.agent.guard.Limits;
import dev.idem.agent.guard.LoopGuard;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The text for the model about a doubt has to agree with the effect of the next call. */
class DoubtAnswerTest {
    private static final RemoteKeys STRIPE = new RemoteKeys("Stripe", Duration.ofHours(24));
    private static final Map<String, Object> ORDER = Map.of("cents", 4200);

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void aToolWhoseRemoteKnowsTheKeyMayBeCalledAgain() {
        assertThat(answerOf(charge().policy(Policy.unset().passesKeyTo(STRIPE))))
                .contains("You may call it again with exactly the same arguments")
                .doesNotContain("Do not call it again");
    }

    @Test
    void aToolThatNothingLeadsOutOfDoubtMayNot() {
        assertThat(answerOf(charge())).contains("Do not call it again").contains("a person can settle it");
    }

    /** The third call was stopped with "Do not call it again", after the second had been told that it may be. */
    @Test
    void aCallThatTheModelWasToldToMakeAgainIsNotStoppedAsALoop() {
        AtomicInteger calls = new AtomicInteger();
        Session session = Session.of(idem, "order-7", recovering(calls, 5));

        for (int i = 0; i < 4; i++) {
            assertThat(session.call("charge", ORDER).text()).contains("You may call it again");
        }
        assertThat(session.call("charge", ORDER).value()).isEqualTo("charged");
        assertThat(calls).hasValue(5);
    }

    @Test
    void suchACallCountsAsAFailureAllTheSame() {
        Session session = Session.builder(idem)
                .id("order-7")
                .tools(recovering(new AtomicInteger(), 5))
                .loopGuard(LoopGuard.standard().session(Limits.none().failures(2)))
                .open();
        session.call("charge", ORDER);
        session.call("charge", ORDER);

        assertThat(session.call("charge", ORDER).status()).isEqualTo(ToolAnswer.Status.STOPPED);
    }

    private static Tool recovering(AtomicInteger calls, int answered) {
        return charge().policy(Policy.unset().passesKeyTo(STRIPE)).run((call, in) -> {
            if (calls.incrementAndGet() < answered) {
                throw new SocketTimeoutException("lost");
            }
            return "charged";
        });
    }

    private static ToolBuilder<ToolInput> charge() {
        return Tool.named("charge").retry(Retry.none());
    }

    private String answerOf(ToolBuilder<ToolInput> tool) {
        Tool charge = tool.run((call, in) -> {
            throw new SocketTimeoutException("lost");
        });
        return Session.of(idem, "order-7", charge).call("charge", ORDER).text();
    }
}
