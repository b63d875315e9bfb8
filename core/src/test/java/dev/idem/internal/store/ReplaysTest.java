package dev.idem.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.spi.Fence;
import dev.idem.spi.Ticket;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReplaysTest {
    private static final Ticket TICKET = new Ticket(new Address("shop", "charge", "k"), new Fence(1));
    /** More than one portion. */
    private static final int MANY = 100;

    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch written = new CountDownLatch(1);
    private final AtomicLong counted = new AtomicLong();

    private final Replays replays = new Replays(more -> {
        writing.countDown();
        try {
            assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        more.values().forEach(counted::addAndGet);
    });

    private void replay() {
        for (int i = 0; i < MANY; i++) {
            replays.count(TICKET, Instant.EPOCH);
        }
    }

    /** Every 64th replay writes the counts. With many threads these waited for each other, a hundred times as long as others. */
    @Test
    void aReplayDoesNotWaitForTheWriteOfAnotherThread() throws Exception {
        CompletableFuture<Void> slow = CompletableFuture.runAsync(this::replay);
        assertThat(writing.await(60, TimeUnit.SECONDS)).isTrue();
        try {
            CompletableFuture.runAsync(this::replay).get(30, TimeUnit.SECONDS);
            assertThat(counted).hasValue(0);
        } finally {
            written.countDown();
        }
        slow.get(60, TimeUnit.SECONDS);
        replays.flush();
        assertThat(counted).hasValue(2 * MANY);
    }
}
