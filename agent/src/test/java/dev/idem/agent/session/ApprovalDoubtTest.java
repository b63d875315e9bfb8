package dev.idem.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.Idem;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.approval.Approvals;
import dev.idem.agent.retry.Retry;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Host;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;
import dev.idem.testkit.SettableClocks;
import dev.idem.testkit.Settlements;
import java.net.SocketTimeoutException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An approval that was used by an attempt whose outcome nobody knows. It lets that attempt be finished, where the tool
 * is safe to run again; as soon as the doubt is gone it has served, and nothing else runs on the strength of it.
 */
final class ApprovalDoubtTest {
    private static final Map<String, Object> ORDER = Map.of("order", 7);

    private final SettableClocks clocks = new SettableClocks();
    private final Ledger ledger = new MemoryLedger(new LedgerContext(clocks, Host.system()));
    private final AtomicInteger runs = new AtomicInteger();
    private int lost = 1;
    private final Tool drop = Tool.named("drop")
            .policy(Policy.idempotent())
            .retry(Retry.none())
            .policy(Policy.unset().approval())
            .run((call, in) -> {
                if (runs.incrementAndGet() <= lost) {
                    throw new SocketTimeoutException("lost");
                }
                return "dropped";
            });
    private Idem idem;
    private Address address;

    @BeforeEach
    void useAnApprovalWithoutLearningWhatCameOfIt() {
        idem = Idem.builder().ledger(ledger).quiet().open();
        Refused pending = (Refused) call();
        address = pending.address().orElseThrow();
        Approvals.on(idem).approve(pending.approval(), "ann");
        assertThat(call().status()).isEqualTo(Status.IN_DOUBT);
    }

    @AfterEach
    void close() {
        idem.close();
        ledger.close();
    }

    @Test
    void whatIsInDoubtIsFinishedAsOftenAsItTakes() {
        lost = 3;

        assertThat(call().status()).isEqualTo(Status.IN_DOUBT);
        assertThat(call().status()).isEqualTo(Status.IN_DOUBT);
        assertThat(call().text()).isEqualTo("dropped");
        assertThat(runs).hasValue(4);
    }

    @Test
    void aPersonWhoSaysThatNothingHappenedIsAskedBeforeItRunsAgain() {
        assertThat(saidToHaveFailed(entry())).isTrue();

        assertThat(call().status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(runs).hasValue(1);
    }

    @Test
    void alsoOneWhoSaysSoBetweenTheLookAndTheClaim() {
        AtomicInteger looks = new AtomicInteger();
        Ledger resolving = new ForwardingLedger(ledger) {
            @Override
            public Optional<Entry> find(Address at) {
                Optional<Entry> found = super.find(at);
                if (at.equals(address) && looks.getAndIncrement() == 0) {
                    saidToHaveFailed(found.orElseThrow());
                }
                return found;
            }

            @Override
            public void close() {}
        };
        try (Idem racing = Idem.builder().ledger(resolving).quiet().open()) {
            assertThat(Session.of(racing, "order-1", drop).call("drop", ORDER).status())
                    .isEqualTo(Status.FAILED);
        }

        assertThat(runs).hasValue(1);
        assertThat(entry().state()).isEqualTo(State.FAILED);
        assertThat(call().status()).isEqualTo(Status.NEEDS_APPROVAL);
    }

    @Test
    void aLaterAttemptThatWasCutOffBeforeItUsedItsOwnIsNotFinishedByAnOlderOne() {
        saidToHaveFailed(entry());
        cutOffBeforeItsApprovalWasUsed();

        Refused asked = (Refused) call();

        assertThat(asked.status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(runs).hasValue(1);
        Approvals.on(idem).approve(asked.approval(), "ann");
        assertThat(call().text()).isEqualTo("dropped");
        assertThat(runs).hasValue(2);
    }

    @Test
    void norIsOneAfterTheEntryWasForgotten() {
        idem.forget(entry());
        cutOffBeforeItsApprovalWasUsed();

        assertThat(call().status()).isEqualTo(Status.NEEDS_APPROVAL);
        assertThat(runs).hasValue(1);
    }

    @Test
    void aDenialStandsAgainstAnOlderApproval() {
        saidToHaveFailed(entry());
        Approvals.on(idem).deny(((Refused) call()).approval(), "bob", "once was enough");
        cutOffBeforeItsApprovalWasUsed();

        assertThat(call().status()).isEqualTo(Status.DENIED);
        assertThat(runs).hasValue(1);
    }

    private ToolAnswer call() {
        Session session = Session.builder(idem)
                .id("order-1")
                .tools(drop)
                .withoutLoopGuard()
                .open();
        return session.call("drop", ORDER);
    }

    private Entry entry() {
        return idem.find(address).orElseThrow();
    }

    private boolean saidToHaveFailed(Entry seen) {
        return ledger.resolve(address, seen.fence(), Settlements.failed());
    }

    /** As a process leaves it that is killed after its claim. */
    private void cutOffBeforeItsApprovalWasUsed() {
        idem.operation("drop").scope("order-1").identity(ORDER).attempt(call -> {
            throw new SocketTimeoutException("killed");
        });
        assertThat(entry().state()).isEqualTo(State.IN_DOUBT);
    }
}
