package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Owner;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.TrailLine;
import dev.idem.testkit.Settlements;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Closing and opening a ledger again, and two ledgers on one store. */
abstract class ReopenContract extends SituationCase {
    static final List<Situation> SITUATIONS = List.of(
            Situation.RUNNING,
            Situation.COMPLETE,
            Situation.FAILED,
            Situation.FAILED_FOR_GOOD,
            Situation.DOUBTED,
            Situation.LAPSED,
            Situation.STAGED_AND_LAPSED,
            Situation.MARKED_AND_LAPSED,
            Situation.PROBING,
            Situation.PROBED_IN_VAIN,
            Situation.PROBED_AND_CLEARED,
            Situation.RERUNNING,
            Situation.RERUN_FAILED,
            Situation.EXPIRED,
            Situation.TOMBSTONE,
            Situation.FORGOTTEN,
            Situation.RESOLVED_COMPLETE);

    @ParameterizedTest(name = "{0}")
    @FieldSource("SITUATIONS")
    void theEntryIsAsItWas(Situation situation) {
        situation.arrange().accept(this);
        Optional<Entry> before = ledger().find(KEY);
        reopen();
        assertThatAllOf(ledger().find(KEY)).isEqualTo(before);
    }

    @Test
    void everyPartIsAsItWas() {
        Owner owner = processes().startOwner();
        ClaimRequest request = request(owner)
                .withStaged(true)
                .withLabels(Map.of("customer", "cus_1", "order", "7"))
                .withParent(KEY.withOperation("checkout"));
        Ticket ticket = granted(request).ticket();
        ledger().mark(ticket, new Mark("charging", processes().start()));
        Entry running = entry();
        reopen();
        assertThatAllOf(entry()).isEqualTo(running);
        ledger().settle(ticket, Settlements.completed("{\"charged\":4200}"));
        Entry complete = entry();
        reopen();
        assertThatAllOf(entry()).isEqualTo(complete);
    }

    @Test
    void aTicketOutlivesTheLedgerItCameFrom() {
        ClaimRequest request = request();
        Ticket ticket = granted(request).ticket();
        reopen();
        assertThat(granted(request).ticket()).isEqualTo(ticket);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.InFlight.class);
        assertThat(ledger().renew(ticket, LEASE)).isTrue();
        assertThat(ledger().settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
        reopen();
        assertThat(ledger().settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Already.class);
    }

    @Test
    void theTrailGoesOn() {
        capability(Historied.class);
        Ticket ticket = take();
        reopen();
        ledger().settle(ticket, Settlements.completed("1"));
        assertThat(capability(Historied.class).trail(KEY))
                .extracting(TrailLine::event)
                .containsExactly("granted", "complete");
    }

    @Test
    void aClosedLedgerAnswersNothing() {
        Entry taken = granted(request());
        Ticket ticket = taken.ticket();
        Ledger closed = ledger();
        closed.close();
        closed.close();
        assertThatThrownBy(() -> closed.claim(request())).isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> closed.find(KEY)).isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> closed.renew(ticket, LEASE)).isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> closed.settle(ticket, Settlements.failed()))
                .isInstanceOf(LedgerUnavailableException.class);
        assertThatThrownBy(() -> closed.forget(taken)).isInstanceOf(LedgerUnavailableException.class);
    }

    @Test
    void twoHandlesSeeEachOther() {
        Ledger other = another();
        Ticket ticket = take();
        assertThat(other.claim(request())).isInstanceOf(Claim.InFlight.class);
        assertThat(other.renew(ticket, LEASE)).isTrue();
        assertThat(other.settle(ticket, Settlements.completed("1"))).isInstanceOf(Settled.Recorded.class);
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
        assertThat(other.forget(entry())).isTrue();
        assertThat(take().fence()).isGreaterThan(ticket.fence());
    }

    @Test
    void oneHandleWakesAnother() throws InterruptedException {
        Awaitable awaitable = capability(Awaitable.class);
        Ledger other = another();
        Ticket ticket = take();
        CountDownLatch woken = new CountDownLatch(1);
        try (Awaitable.Watch watch = awaitable.watch(KEY, woken::countDown)) {
            assertThat(watch).isNotNull();
            other.settle(ticket, Settlements.completed("1"));
            assertThat(woken.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
