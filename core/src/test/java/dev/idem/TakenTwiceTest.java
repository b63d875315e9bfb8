package dev.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.MemoryLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One store, one request, two workers: the first was paused past its lease and then speaks up. */
class TakenTwiceTest {
    private static final String ID = "req-001";

    private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.parse("2026-03-01T12:00:00Z"));
    private final MemoryLedger ledger =
            new MemoryLedger(new LedgerContext(() -> Moment.ofWall(wall.get()), Processes.unknown()));
    private final RequestStore store =
            RequestStore.builder().ledger(ledger).owner(Owner.named("tester")).open();

    @AfterEach
    void close() {
        store.close();
        ledger.close();
    }

    /** The first worker's failure was written over the ticket of the second, which still ran: a third ran beside it. */
    @Test
    void theFirstWorkerDoesNotSpeakForTheSecond() {
        Ticket first = store.markInProgress(ID);
        lapseAndClear();
        Ticket second =
                CompletableFuture.supplyAsync(() -> store.markInProgress(ID)).join();

        assertThatThrownBy(() -> store.markFailed(ID, "first worker"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ticket");
        assertThatThrownBy(() -> store.markFailed(first, "first worker")).isInstanceOf(StaleTicketException.class);
        assertThat(store.state(ID)).contains(State.IN_PROGRESS);

        store.markComplete(second, "done");
        assertThat(store.isProcessed(ID)).isTrue();
    }

    @Test
    void theWorkerThatTookItLastSettlesItWithItsTicket() {
        store.markInProgress(ID);
        lapseAndClear();
        Ticket last = store.markInProgress(ID);

        assertThatThrownBy(() -> store.markComplete(ID, "by id, on the same thread"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Ticket");
        store.markComplete(last, "done");

        assertThat(store.isProcessed(ID)).isTrue();
    }

    /** The first worker lapsed, the second took over and failed, the third ran: the first completed the third's ticket. */
    @Test
    void theFirstWorkerDoesNotCompleteTheTicketOfTheThird() {
        Ticket first = store.markInProgress(ID);
        lapseAndClear();
        store.markNotExecuted(store.markInProgress(ID), "second worker");
        Ticket third = store.markInProgress(ID);

        assertThatThrownBy(() -> store.markComplete(ID, "first")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.markComplete(first, "first")).isInstanceOf(StaleTicketException.class);
        assertThat(store.state(ID)).contains(State.IN_PROGRESS);

        // The first has spoken and was refused, so that an id means the third again.
        store.markComplete(ID, "third");
        assertThat(store.result(ID).orElseThrow().value()).isEqualTo("third");
        assertThat(third.address().key()).isEqualTo(ID);
    }

    @Test
    void onceItIsSettledItMayBeTakenAndSettledAgainByAnyThread() {
        store.markInProgress(ID);
        store.markNotExecuted(ID, "not now");
        CompletableFuture.supplyAsync(() -> store.markInProgress(ID)).join();

        store.markInDoubt(ID, "who knows");

        assertThat(store.state(ID)).contains(State.IN_DOUBT);
    }

    /** A request that was taken after the close was never renewed: it lapsed while its worker went on. */
    @Test
    void aClosedStoreTakesNothing() {
        store.close();

        assertThatThrownBy(() -> store.markInProgress(ID)).isInstanceOf(IllegalStateException.class);
        assertThat(ledger.find(address())).isEmpty();
    }

    private void lapseAndClear() {
        wall.updateAndGet(now -> now.plus(Duration.ofMinutes(1)));
        Entry lapsed = ledger.find(address()).orElseThrow();
        assertThat(lapsed.state()).isEqualTo(State.IN_DOUBT);
        assertThat(store.clear(ID)).isTrue();
    }

    private static Address address() {
        return new Address(Address.DEFAULT_SCOPE, "request", ID);
    }
}
