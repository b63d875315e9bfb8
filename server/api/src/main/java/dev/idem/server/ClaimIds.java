package dev.idem.server;

import dev.idem.spi.AttemptId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The attempt ids of claims that are running here, and of those that were withdrawn. Requests may overtake each other.
 * Copies of one claim run one after the other: each must see all that the one before has done. A withdrawal waits for
 * the running claim of its id, and later claims of the id are refused for 10 minutes.
 */
final class ClaimIds {
    private static final long REFUSED_FOR = Duration.ofMinutes(10).toNanos();
    private static final int MOST = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    private final Set<AttemptId> running = new HashSet<>();
    /** When each was withdrawn, oldest first. */
    private final Map<AttemptId, Long> withdrawn = new LinkedHashMap<>();

    /** Begins a claim, after the running copy of it; refuses one that was withdrawn. */
    void begin(AttemptId id) throws InterruptedException {
        lock.lock();
        try {
            while (running.contains(id)) {
                ended.await();
            }
            if (withdrawn.containsKey(id)) {
                throw ApiException.malformed(
                        "this attempt_id was withdrawn; claim with a new one. Nothing was claimed");
            }
            running.add(id);
        } finally {
            lock.unlock();
        }
    }

    void end(AttemptId id) {
        lock.lock();
        try {
            running.remove(id);
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
            while (running.contains(id)) {
                ended.await();
            }
        } finally {
            lock.unlock();
        }
    }
}
