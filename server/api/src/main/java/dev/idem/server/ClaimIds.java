package dev.idem.server;

import dev.idem.spi.AttemptId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The attempt ids of claims that are running here, and of those that were withdrawn. Requests may overtake each other:
 * a withdrawal waits for the running claim of its id, and later claims of the id are refused for 10 minutes.
 */
final class ClaimIds {
    private static final long REFUSED_FOR = Duration.ofMinutes(10).toNanos();
    private static final int MOST = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Map<AttemptId, Integer> running = new HashMap<>();
    /** When each was withdrawn, oldest first. */
    private final Map<AttemptId, Long> withdrawn = new LinkedHashMap<>();

    /** Begins a claim; refuses one that was withdrawn. */
    void begin(AttemptId id) {
        lock.lock();
        try {
            if (withdrawn.containsKey(id)) {
                throw ApiException.malformed(
                        "this attempt_id was withdrawn; claim with a new one. Nothing was claimed");
            }
            running.merge(id, 1, Integer::sum);
        } finally {
            lock.unlock();
        }
    }

    void end(AttemptId id) {
        lock.lock();
        try {
            running.computeIfPresent(id, (same, count) -> count == 1 ? null : count - 1);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Refuses later claims of the id, and waits for those that are running. */
    void withdraw(AttemptId id) throws InterruptedException {
        lock.lock();
        try {
            long now = System.nanoTime();
            Iterator<Long> oldest = withdrawn.values().iterator();
            while (oldest.hasNext() && (now - oldest.next() > REFUSED_FOR || withdrawn.size() >= MOST)) {
                oldest.remove();
            }
            withdrawn.putIfAbsent(id, now);
            while (running.containsKey(id)) {
                ended.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
