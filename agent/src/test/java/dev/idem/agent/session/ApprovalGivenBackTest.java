package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.ToolNotCalledException;
import dev.idem.agent.tool.Toolbox;
import java.net.ConnectException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A call whose tool was not called does not cost its approval: a person would have to decide the same again. */
final class ApprovalGivenBackTest {
    private static final Map<String, Object> ORDER = Map.of("order", 7);

    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();
    private final Approvals approvals = Approvals.on(idem);
    private Exception thrown = new ToolNotCalledException("7 is no order", null);
    private boolean doubted;
    private final Tool drop = Tool.named("drop")
            .policy(Policy.write().approval().definiteOn(ConnectException.class))
            .run((call, in) -> {
                if (doubted) {
                    call.ambiguous(new IllegalStateException("the answer of the first try was lost"));
                }
                if (thrown != null) {
                    throw thrown;
                }
                return "dropped";
            });

    @AfterEach
    void close() {
        idem.close();
    }

    private static final class Shop {
        @SuppressWarnings("UnusedMethod") // a tool
        @Once(approval = true)
        CompletableFuture<String> drop(int order) {
            throw new AssertionError("ran for order " + order);
        }
    }

    private Status call() {
        return Session.of(idem, "order-1", drop).call("drop", ORDER).status();
    }

    private void approve(Toolbox tools) {
        Refused pending = (Refused) Session.of(idem, "order-1", tools).call("drop", ORDER);
        approvals.approve(pending.approval(), "ann");
    }

    @Test
    void afterACallThatDidNotReachItsTool() {
        approve(Toolbox.of(drop));

        assertThat(call()).isEqualTo(Status.FAILED);
        assertThat(call()).isEqualTo(Status.FAILED);
        thrown = null;

        assertThat(call()).isEqualTo(Status.RAN);
        assertThat(approvals.pending()).isEmpty();
    }

    @Test
    void afterAMethodThatWasNotCalled() {
        Toolbox tools = Toolbox.in(new Shop());
        approve(tools);

        assertThat(Session.of(idem, "order-1", tools).call("drop", ORDER).text())
                .contains("drop returns a CompletableFuture");
        assertThat(Session.of(idem, "order-1", tools).call("drop", ORDER).text())
                .contains("drop returns a CompletableFuture");
        assertThat(approvals.pending()).isEmpty();
    }

    @Test
    void butNotAfterAnotherFailure() {
        approve(Toolbox.of(drop));
        thrown = new ConnectException("refused");

        assertThat(call()).isEqualTo(Status.FAILED);
        assertThat(call()).isEqualTo(Status.NEEDS_APPROVAL);
    }

    @Test
    void norAfterATryThatMayHaveHadAnEffect() {
        approve(Toolbox.of(drop));
        doubted = true;

        assertThat(call()).isEqualTo(Status.IN_DOUBT);
        idem.resolve(idem.find(Session.of(idem, "order-1", drop)
                                .call("drop", ORDER)
                                .address()
                                .orElseThrow())
                        .orElseThrow())
                .asFailed();
        assertThat(call()).isEqualTo(Status.NEEDS_APPROVAL);
    }
}
