package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.SettableClocks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class TakenOverTest {
    private final SettableClocks clocks = new SettableClocks();

    @Test
    void aToolThatReturnsAfterItsTicketWasTakenOverSaysSoAndChangesNothing() {
        try (Ledger ledger = new MemoryLedger(new LedgerContext(clocks, Host.system()));
                Idem slow = Idem.builder().ledger(ledger).quiet().open();
                Idem quick = Idem.builder().ledger(ledger).quiet().open()) {
            Tool base = Tool.named("charge").policy(Policy.idempotent()).build();
            AtomicReference<ToolAnswer> successor = new AtomicReference<>();

            ToolAnswer late = Session.of(slow, "order-1")
                    .call(ToolCall.of(base, "{}").action((call, in) -> {
                        clocks.advance(Duration.ofHours(1));
                        successor.set(Session.of(quick, "order-1")
                                .call(ToolCall.of(base, "{}").action((again, same) -> "by the successor")));
                        return "too late";
                    }));

            assertThat(successor.get().status()).isEqualTo(Status.RAN);
            assertThat(late.status()).isEqualTo(Status.TAKEN_OVER);
            assertThat(late.error()).isTrue();
            assertThat(late.text()).contains("too late", "another attempt had taken over", "do not call it again");
            assertThat(Session.of(slow, "order-1")
                            .call(ToolCall.of(base, "{}").action((call, in) -> "not run"))
                            .value())
                    .isEqualTo("by the successor");
        }
    }
}
