package dev.idem.redis;

import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Settled;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Until;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Threads that claim and settle one key after the other, and ask again where they are told to. */
final class Load implements AutoCloseable {
    private static final int THREADS = 16;

    private final StoreLedger ledger;
    private final String tag;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<Future<?>> working = new ArrayList<>();
    private final Set<String> settled = ConcurrentHashMap.newKeySet();
    private final AtomicInteger askedAgain = new AtomicInteger();
    private volatile boolean enough;

    /** Begins to work on keys that share a slot. */
    Load(StoreLedger ledger, String tag) {
        this.ledger = ledger;
        this.tag = tag;
        for (int i = 0; i < THREADS; i++) {
            int thread = i;
            working.add(threads.submit(() -> work(thread)));
        }
        gate.countDown();
    }

    private Void work(int thread) throws InterruptedException {
        gate.await();
        for (int i = 0; !enough; i++) {
            String key = tag + thread + "-" + i;
            ClaimRequest request = Fixtures.request(key);
            Claim claim = answer(() -> ledger.claim(request));
            if (!(claim instanceof Claim.Granted granted)) {
                throw new AssertionError(key + " was asked for once, and is " + claim);
            }
            Settled answer = answer(() -> ledger.settle(granted.ticket(), Fixtures.completed(key)));
            if (!(answer instanceof Settled.Recorded || answer instanceof Settled.Already)) {
                throw new AssertionError(key + " was held, and its settle is " + answer);
            }
            settled.add(key);
        }
        return null;
    }

    private <T> T answer(Supplier<T> ask) {
        while (true) {
            try {
                return ask.get();
            } catch (LedgerUnavailableException e) {
                if (askedAgain.incrementAndGet() > 100_000) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** Waits until so many more are settled, or somebody has failed. */
    void awaitMore(int more) {
        int before = settled.size();
        Until.isTrue(
                "work goes on",
                () -> settled.size() >= before + more || working.stream().anyMatch(Future::isDone));
    }

    /** Lets everybody finish; throws what somebody failed with. */
    Set<String> finish() throws Exception {
        enough = true;
        for (Future<?> each : working) {
            each.get(60, TimeUnit.SECONDS);
        }
        return settled;
    }

    int askedAgain() {
        return askedAgain.get();
    }

    @Override
    public void close() {
        enough = true;
        threads.shutdownNow();
        Until.isTrue("everybody has stopped", threads::isTerminated);
    }
}
