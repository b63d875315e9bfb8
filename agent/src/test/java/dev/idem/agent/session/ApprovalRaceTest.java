package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Owner;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Settlements;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An attempt elsewhere that ends between the question whether an approval is needed and the claim. */
final class ApprovalRaceTest {
    private static final Map<String, Object> ORDER = Map.of("order", 7);

    private final Ledger ledger = new MemoryLedger(new LedgerContext(new SettableClocks(), Host.system()));
    private final AtomicInteger runs = new AtomicInteger();
    private final Tool drop = Tool.named("drop")
            .policy(Policy.idempotent().approval())
            .run((call, in) -> "dropped " + runs.incrementAndGet());
    private Idem idem;
    private Address address;
    private Ticket elsewhere;

    @BeforeEach
    void beginElsewhere() {
        idem = Idem.builder().ledger(ledger).quiet().open();
        Refused pending = (Refused) Session.of(idem, "order-1", drop).call("drop", ORDER);
        address = pending.address().orElseThrow();
        elsewhere = ((Claim.Granted) ledger.claim(
                        ClaimRequest.of(new AttemptId(1, 1), address, Fingerprints.NONE, Owner.named("elsewhere"))))
                .ticket();
    }

    @AfterEach
    void close() {
        idem.close();
        ledger.close();
    }

    @Test
    void nothingRunsWithoutAnApprovalAfterAnAttemptThatWasRefusedItsOwn() {
        try (Idem racing = racing(Settlements.failed())) {
            assertThat(Session.of(racing, "order-1", drop).call("drop", ORDER).status())
                    .isEqualTo(Status.FAILED);
        }
        assertThat(runs).hasValue(0);
        assertThat(Session.of(idem, "order-1", drop).call("drop", ORDER).status())
                .isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(Approvals.on(idem).pending()).hasSize(1);
    }

    @Test
    void anApprovalThatWasUsedAfterTheLookIsNotAskedForAgain() {
        idem.ledger().settle(elsewhere, Settlements.failed());
        Approvals approvals = Approvals.on(idem);
        approvals.approve(approvals.pending().get(0).key(), "ann");
        AtomicBoolean looked = new AtomicBoolean();
        try (Idem racing = seen(at -> {
            if (!looked.getAndSet(true)) {
                Session.of(idem, "order-1", drop).call("drop", ORDER);
            }
        })) {
            assertThat(Session.of(racing, "order-1", drop).call("drop", ORDER).status())
                    .isEqualTo(Status.REPLAYED);
        }
        assertThat(runs).hasValue(1);
        assertThat(approvals.pending()).isEmpty();
    }

    /** The other attempt ends like this once somebody has looked at its entry. */
    private Idem racing(Settlement how) {
        return seen(at -> ledger.settle(elsewhere, how));
    }

    /** This happens once somebody has looked at the entry. */
    private Idem seen(Consumer<Address> then) {
        return Idem.builder()
                .ledger(new ForwardingLedger(ledger) {
                    @Override
                    public Optional<Entry> find(Address at) {
                        Optional<Entry> found = super.find(at);
                        if (at.equals(address)) {
                            then.accept(at);
                        }
                        return found;
                    }

                    @Override
                    public void close() {}
                })
                .quiet()
                .open();
    }
}
