package dev.idem.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.agent.batch.Batch;
import dev.idem.agent.inbox.Delivery;
import dev.idem.agent.inbox.Event;
import dev.idem.agent.inbox.Inbox;
import dev.idem.agent.session.Session;
import dev.idem.agent.tool.Once;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.agent.tool.Toolbox;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A future is no result, whichever part of the agent layer takes it. */
@SuppressWarnings("FutureReturnValueIgnored") // futures are the mistake that is tested
class UnfinishedResultsTest {
    private final AtomicInteger runs = new AtomicInteger();
    private final Idem idem = Idem.builder().ledger("memory:").quiet().open();

    @AfterEach
    void close() {
        idem.close();
    }

    private CompletableFuture<String> later() {
        runs.incrementAndGet();
        return new CompletableFuture<>();
    }

    @Test
    void aToolThatReturnsOneIsInDoubt() {
        Session session = Session.of(idem, "order-1", Tool.named("charge").run((call, in) -> later()));

        ToolAnswer first = session.call("charge", Map.of("customer", "cus_1"));
        ToolAnswer second = session.call("charge", Map.of("customer", "cus_1"));

        assertThat(first.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(first.text()).contains("CompletableFuture");
        assertThat(second.status()).isEqualTo(Status.IN_DOUBT);
        assertThat(runs).hasValue(1);
    }

    final class Shop {
        @Once
        CompletableFuture<String> charge(String customer) {
            return later();
        }

        @Once
        String greet(String customer) {
            return "Hello, " + customer;
        }
    }

    /** The method could be one that only other callers of the service use, so the toolbox is made all the same. */
    @Test
    void aMethodThatReturnsOneIsNotCalled() {
        Session session = Session.of(idem, "order-1", Toolbox.in(new Shop()));

        ToolAnswer charged = session.call("charge", Map.of("customer", "cus_1"));

        assertThat(charged.status()).isEqualTo(Status.FAILED);
        assertThat(charged.text()).contains("charge returns a CompletableFuture", "Wait for the work in the method");
        assertThat(session.call("greet", Map.of("customer", "Ann")).text()).isEqualTo("Hello, Ann");
        assertThat(runs).hasValue(0);
    }

    @Test
    void anItemOfABatchThatGivesOneIsInDoubt() {
        var batch = Batch.of(idem, "job-7");

        batch.run(List.of("a"), item -> item, (item, call) -> later());
        batch.run(List.of("a"), item -> item, (item, call) -> later());

        assertThat(batch.run(List.of("a"), item -> item, (item, call) -> later())
                        .complete())
                .isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void anEventWhoseHandlerGivesOneIsNotHandled() {
        Delivery<?> delivery = Inbox.of(idem, "stripe").receive(Event.of("evt_1", "{}"), (event, call) -> later());

        assertThat(delivery).isInstanceOf(Delivery.Failed.class);
    }
}
