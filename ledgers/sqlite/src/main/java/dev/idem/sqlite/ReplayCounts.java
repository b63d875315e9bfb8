package dev.idem.sqlite;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Replays that were given and not yet written down. They ride along with the next change. */
final class ReplayCounts {
    /** How many entries' counts one commit takes along. */
    private static final int MOST_AT_ONCE = 64;

    /** So many entries' counts wait at most; then they are worth a commit of their own. */
    static final int MOST_WAITING = 4096;

    private final ConcurrentHashMap<Long, Long> waiting = new ConcurrentHashMap<>();

    /** Counts one replay of the entry with this fence; true when so many wait that they should be written down. */
    boolean add(long fence) {
        waiting.merge(fence, 1L, Long::sum);
        return waiting.size() >= MOST_WAITING;
    }

    long of(long fence) {
        return waiting.getOrDefault(fence, 0L);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    long total() {
        return waiting.reduceValuesToLong(Long.MAX_VALUE, Long::longValue, 0, Long::sum);
    }

    /** Takes some of them out, to be written. */
    Map<Long, Long> take() {
        if (waiting.isEmpty()) {
            return Map.of();
        }
        Map<Long, Long> taken = new HashMap<>();
        for (Long fence : waiting.keySet()) {
            Long count = waiting.remove(fence);
            if (count != null) {
                taken.put(fence, count);
            }
            if (taken.size() == MOST_AT_ONCE) {
                break;
            }
        }
        return taken;
    }

    void giveBack(Map<Long, Long> taken) {
        taken.forEach((fence, count) -> waiting.merge(fence, count, Long::sum));
    }
}
