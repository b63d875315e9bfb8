package dev.idem.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Effect;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Payload;
import dev.idem.spi.Processes;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.store.MemoryLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class NearCacheTest {
    private static final Fingerprints WORK = new Fingerprints("1d".repeat(32), null);

    private final AtomicLong nanos = new AtomicLong();
    private final NearCache cache =
            new NearCache(new NearCache.Limits(2, Duration.ofSeconds(1)), new Clock(nanos::get, () -> 0));

    /** Each time an entry grew too old and came back, it stood in the queue once more, for ever. */
    @Test
    void anEntryThatComesAndGoesIsQueuedOnce() {
        Entry entry = complete("a");
        for (int i = 0; i < 100; i++) {
            cache.keep(entry, cache.drops());
            assertThat(cache.find(entry.address(), WORK)).isSameAs(entry);
            nanos.addAndGet(Duration.ofSeconds(2).toNanos());
            assertThat(cache.find(entry.address(), WORK)).isNull();
        }
        for (int i = 0; i < 100; i++) {
            cache.keep(entry, cache.drops());
            cache.drop(entry.address());
            assertThat(cache.find(entry.address(), WORK)).isNull();
        }

        assertThat(cache.queued()).isLessThanOrEqualTo(2);
    }

    @Test
    void theOldestMakesRoom() {
        cache.keep(complete("a"), 0);
        cache.keep(complete("b"), 0);
        cache.keep(complete("c"), 0);

        assertThat(cache.find(address("a"), WORK)).isNull();
        assertThat(cache.find(address("b"), WORK)).isNotNull();
        assertThat(cache.find(address("c"), WORK)).isNotNull();
    }

    private static Address address(String key) {
        return new Address("shop", "charge", key);
    }

    private static Entry complete(String key) {
        try (MemoryLedger ledger =
                new MemoryLedger(new LedgerContext(() -> Moment.ofWall(Instant.EPOCH), Processes.unknown()))) {
            Claim claim = ledger.claim(ClaimRequest.of(new AttemptId(0, 1), address(key), WORK, Owner.named("tester")));
            Result result = new Result.Stored(Payload.of(new byte[0], "text/plain", "text"));
            Settled settled = ledger.settle(
                    ((Claim.Granted) claim).ticket(),
                    new Settlement.Completed(result, Effect.CREATED, Retention.DEFAULT));
            return ((Settled.Recorded) settled).entry();
        }
    }
}
