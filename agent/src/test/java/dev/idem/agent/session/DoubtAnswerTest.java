package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import dev.idem.call.RemoteKeys;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a model is told of a doubt has to agree with what the next call would do. */
class DoubtAnswerTest {
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    @Test
    void aToolWhoseRemoteKnowsTheKeyMayBeCalledAgain() {
        assertThat(answerOf(charge().passesKeyTo(new RemoteKeys("Stripe", Duration.ofHours(24)))))
                .contains("You may call it again with exactly the same arguments")
                .doesNotContain("Do not call it again");
    }

    @Test
    void aToolThatNothingLeadsOutOfDoubtMayNot() {
        assertThat(answerOf(charge())).contains("Do not call it again").contains("a person can settle it");
    }

    private static ToolBuilder<ToolInput> charge() {
        return Tool.named("charge").retry(Retry.none());
    }

    private String answerOf(ToolBuilder<ToolInput> tool) {
        Tool charge = tool.run((call, in) -> {
            throw new SocketTimeoutException("lost");
        });
        return Session.of(idem, "order-7", charge)
                .call("charge", Map.of("cents", 4200))
                .text();
    }
}
