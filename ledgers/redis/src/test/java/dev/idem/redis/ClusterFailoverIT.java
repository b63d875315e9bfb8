package dev.idem.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.lab.RedisProcess;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Settled;
import dev.idem.spi.Ticket;
import dev.idem.spi.store.StoreLedger;
import dev.idem.testkit.Until;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A master is killed while everybody works: what is lost is counted, and is no more than the docs say. */
class ClusterFailoverIT {
    private static final int THREADS = 4;
    private static final int BEFORE = 1_000;
    private static final int AFTER = 500;
    /** Far more than replication on one machine lags behind. */
    private static final Duration LAG = Duration.ofSeconds(1);

    @TempDir
    Path folder;

    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger lostWhileHeld = new AtomicInteger();
    private volatile boolean enough;
    private StoreLedger ledger;
    private RedisCluster cluster;

    @Test
    @Tag("proof")
    void withoutWaitingOnlyTheLastMomentsOfTheDeadMasterAreLost(TestReporter reporter) throws Exception {
        long killed = failOver(0);
        List<String> lost = lost();
        reporter.publishEntry("acknowledged", Integer.toString(acknowledged.size()));
        reporter.publishEntry("lost", Integer.toString(lost.size()));
        reporter.publishEntry("lost while held", lostWhileHeld.toString());
        assertThat(lost).allSatisfy(key -> {
            assertThat(RedisCluster.ofFirst(slot(key)))
                    .as("it was on the dead master")
                    .isTrue();
            assertThat(killed - acknowledged.get(key)).isLessThan(LAG.toNanos());
        });
    }

    @Test
    void waitingForTheReplicaNothingIsLost() throws Exception {
        failOver(1);
        assertThat(lost()).isEmpty();
        assertThat(lostWhileHeld).hasValue(0);
    }

    /** Works, kills the master of the first slots, and works on until its replica has done its part; when it was. */
    private long failOver(int replicas) throws Exception {
        cluster = RedisCluster.start(RedisProcess.bundled(folder), folder);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            ledger = Fixtures.open(cluster.options().withReplicas(replicas).withTimeout(Duration.ofSeconds(1)));
            List<Future<?>> working = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                working.add(threads.submit(() -> work(thread)));
            }
            Until.isTrue("work is under way", () -> acknowledged.size() >= BEFORE);
            long killed = System.nanoTime();
            cluster.first().kill();
            Until.isTrue("its replica has taken over", cluster::servedWithoutFirst);
            cluster.first().start();
            cluster.awaitHealth();
            int then = ofFirst();
            Until.isTrue("the slots are served again", () -> ofFirst() >= then + AFTER);
            enough = true;
            for (Future<?> each : working) {
                each.get(60, TimeUnit.SECONDS);
            }
            return killed;
        } finally {
            enough = true;
            threads.shutdownNow();
            threads.awaitTermination(60, TimeUnit.SECONDS);
        }
    }

    @AfterEach
    void stop() {
        if (ledger != null) {
            ledger.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    private void work(int thread) {
        for (int i = 0; !enough; i++) {
            String key = thread + "-" + i;
            ClaimRequest request = Fixtures.request(key);
            Claim claim = answer(() -> ledger.claim(request));
            if (claim instanceof Claim.Granted granted) {
                settle(key, granted.ticket());
            }
        }
    }

    private void settle(String key, Ticket ticket) {
        Settled settled = answer(() -> ledger.settle(ticket, Fixtures.completed(key)));
        if (settled instanceof Settled.Recorded || settled instanceof Settled.Already) {
            acknowledged.put(key, System.nanoTime());
        } else if (settled != null) {
            lostWhileHeld.incrementAndGet();
        }
    }

    /** Asks again until there is an answer; null when there is no need for one any more. */
    private <T> @Nullable T answer(Supplier<T> ask) {
        while (!enough) {
            try {
                return ask.get();
            } catch (LedgerUnavailableException e) {
                Thread.onSpinWait();
            }
        }
        return null;
    }

    private List<String> lost() {
        return acknowledged.keySet().stream().filter(key -> !isComplete(key)).toList();
    }

    private boolean isComplete(String key) {
        return ledger.find(Fixtures.address(key)).map(Entry::state).orElse(null) == State.COMPLETE;
    }

    private int ofFirst() {
        return (int) acknowledged.keySet().stream()
                .filter(key -> RedisCluster.ofFirst(slot(key)))
                .count();
    }

    private static int slot(String key) {
        return JedisClusterCRC16.getSlot(Fixtures.name(key).getBytes(StandardCharsets.UTF_8));
    }
}
