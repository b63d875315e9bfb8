package dev.idem.agent.approval;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.SettableClocks;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A person may let an approval be used for longer than the agent, which writes down its use, would by itself. The use
 * was then forgotten before the approval, which could be used a second time.
 */
final class LongApprovalTest {
    private static final Wanted DROP =
            new Wanted(new Address("order-1", "drop_table", "key-users"), Map.of("table", "users"));

    private final SettableClocks clocks = new SettableClocks();
    private final InstantSource wall = () -> clocks.now().wall();

    @Test
    void itsUseIsRememberedForAsLongAsItCouldBeUsed() {
        try (Ledger ledger = new MemoryLedger(new LedgerContext(clocks, Host.system()));
                Idem idem = Idem.builder().ledger(ledger).quiet().open()) {
            Approvals agent = Approvals.on(idem).clock(wall);
            Approvals person = Approvals.on(idem).clock(wall).validFor(Duration.ofDays(30));
            person.approve(agent.ask(DROP).request().key(), "ann");
            Ruling.Granted granted = (Ruling.Granted) agent.ask(DROP);
            assertThat(idem.operation("drop_table")
                            .key("key-users")
                            .returning(Boolean.class)
                            .run(call -> agent.use(granted, call)))
                    .isTrue();

            for (int day = 1; day <= 40; day++) {
                clocks.advance(Duration.ofDays(1));
                assertThat(agent.ask(DROP)).as("day %s", day).isInstanceOf(Ruling.Pending.class);
            }
        }
    }
}
