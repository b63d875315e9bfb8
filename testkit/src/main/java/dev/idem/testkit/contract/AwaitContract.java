package dev.idem.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.Ticket;
import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Settlements;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Wake-ups of waiters. A wake-up is a hint; the cases read the entry again after it, as a waiter does. */
abstract class AwaitContract extends LedgerCase {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private Awaitable awaitable() {
        return capability(Awaitable.class);
    }

    /** Subscribes, makes a change on another thread, and waits for the wake-up. */
    private void wakesAfter(Runnable change) throws InterruptedException {
        CountDownLatch woken = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Awaitable.Watch watch = awaitable().watch(KEY, woken::countDown)) {
            assertThat(watch).isNotNull();
            Thread thread = new Thread(change, "changer");
            thread.setUncaughtExceptionHandler((at, e) -> thrown.set(e));
            thread.start();
            assertThat(woken.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                    .as("woken after a change")
                    .isTrue();
            thread.join(PATIENCE.toMillis());
        }
        assertThat(thrown.get()).isNull();
    }

    @Test
    void wakesAfterASettle() throws InterruptedException {
        Ticket ticket = take();
        wakesAfter(() -> ledger().settle(ticket, Settlements.completed("1")));
        assertThat(ledger().claim(request())).isInstanceOf(Claim.Replay.class);
    }

    @Test
    void wakesAfterAFailure() throws InterruptedException {
        Ticket ticket = take();
        wakesAfter(() -> ledger().settle(ticket, Settlements.failed()));
        assertThat(entry().state()).isEqualTo(State.FAILED);
    }

    @Test
    void wakesAfterAForget() throws InterruptedException {
        Ticket ticket = take();
        ledger().settle(ticket, Settlements.completed("1"));
        Entry seen = entry();
        wakesAfter(() -> ledger().forget(seen));
        assertThat(ledger().find(KEY)).isEmpty();
    }

    @Test
    void wakesAfterAResolve() throws InterruptedException {
        Ticket ticket = take();
        ledger().settle(ticket, Settlements.doubtful());
        wakesAfter(() -> ledger().resolve(KEY, ticket.fence(), Settlements.completed("1")));
        assertThat(entry().state()).isEqualTo(State.COMPLETE);
    }

    @Test
    void wakesEverybody() throws InterruptedException {
        Ticket ticket = take();
        CountDownLatch others = new CountDownLatch(2);
        try (Awaitable.Watch second = awaitable().watch(KEY, others::countDown);
                Awaitable.Watch third = awaitable().watch(KEY, others::countDown)) {
            assertThat(second).isNotSameAs(third);
            wakesAfter(() -> ledger().settle(ticket, Settlements.completed("1")));
            assertThat(others.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        }
    }

    @Test
    void aWatchClosedTwiceLeavesAnotherWithTheSameWakeAlone() throws InterruptedException {
        Ticket ticket = take();
        CountDownLatch woken = new CountDownLatch(1);
        Runnable wake = woken::countDown;
        Awaitable.Watch closed = awaitable().watch(KEY, wake);
        try (Awaitable.Watch open = awaitable().watch(KEY, wake)) {
            assertThat(open).isNotSameAs(closed);
            closed.close();
            closed.close();
            ledger().settle(ticket, Settlements.completed("1"));
            assertThat(woken.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        }
    }

    /** An exception of a watcher must reach neither the caller that made the change nor the other watchers. */
    @Test
    void aWatcherThatThrowsHarmsNobody() throws InterruptedException {
        Ticket ticket = take();
        Awaitable.Watch bad = awaitable().watch(KEY, () -> {
            throw new IllegalStateException("a bad watcher");
        });
        try (bad) {
            wakesAfter(() -> ledger().settle(ticket, Settlements.completed("1")));
            assertThat(entry().state()).isEqualTo(State.COMPLETE);
        }
    }

    @Test
    void aClosedWatchIsNotWoken() throws InterruptedException {
        Ticket ticket = take();
        CountDownLatch closed = new CountDownLatch(1);
        Awaitable.Watch watch = awaitable().watch(KEY, closed::countDown);
        watch.close();
        watch.close();
        wakesAfter(() -> ledger().settle(ticket, Settlements.completed("1")));
        assertThat(closed.getCount()).isEqualTo(1);
    }

    @Test
    void aWatchMayLookWhenItIsWoken() throws InterruptedException {
        Ticket ticket = take();
        AtomicReference<State> seen = new AtomicReference<>();
        CountDownLatch looked = new CountDownLatch(1);
        try (Awaitable.Watch watch = awaitable().watch(KEY, () -> {
            seen.set(entry().state());
            looked.countDown();
        })) {
            assertThat(watch).isNotNull();
            wakesAfter(() -> ledger().settle(ticket, Settlements.completed("1")));
            assertThat(looked.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        }
        assertThat(seen.get()).isEqualTo(State.COMPLETE);
    }
}
