package dev.idem.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Idem;
import dev.idem.spi.store.MemoryLedger;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ReplayCountTest {
    private static final Address ADDRESS = new Address(Address.DEFAULT_SCOPE, "charge", "k");

    private final AtomicReference<Runnable> onceWhenTheTimeIsRead = new AtomicReference<>(() -> {});

    private final Clocks clocks = new Clocks() {
        @Override
        public Moment now() {
            onceWhenTheTimeIsRead.getAndSet(() -> {}).run();
            return Host.system().now();
        }
    };

    /** The time is read after the entry was looked at and before the step that decides. */
    @Test
    void aReplayOfWhatCompletedWhileItWasAskedForIsCounted() throws Exception {
        var ledger = new MemoryLedger(new LedgerContext(clocks, Host.system()));
        CountDownLatch acting = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        try (Idem one = Idem.builder().ledger(ledger).quiet().open();
                Idem other = Idem.builder().ledger(ledger).quiet().open()) {
            CompletableFuture<String> first = one.operation("charge")
                    .key("k")
                    .returning(String.class)
                    .runAsync(call -> {
                        acting.countDown();
                        assertThat(may.await(60, TimeUnit.SECONDS)).isTrue();
                        return "ok";
                    });
            assertThat(acting.await(60, TimeUnit.SECONDS)).isTrue();
            onceWhenTheTimeIsRead.set(() -> {
                may.countDown();
                first.join();
            });

            assertThat(other.operation("charge")
                            .key("k")
                            .returning(String.class)
                            .attempt(call -> "again")
                            .replayed())
                    .isTrue();
            assertThat(ledger.find(ADDRESS).orElseThrow().replays()).isEqualTo(1);
        }
    }
}
