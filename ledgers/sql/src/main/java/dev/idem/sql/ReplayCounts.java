package dev.idem.sql;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Replays that were given and not yet written down. They ride along with the next change. */
public final class ReplayCounts {
    /** How many entries' counts one commit takes along. */
    public static final int MOST_AT_ONCE = 64;

    /** So many entries' counts wait at most; then they are worth a commit of their own. */
    public static final int MOST_WAITING = 4096;

    private final ConcurrentHashMap<Long, Long> waiting = new ConcurrentHashMap<>();

    /** Nothing has been replayed yet. */
    public ReplayCounts() {}

    /** Counts one replay of the entry with this fence; true when so many wait that they should be written down. */
    public boolean add(long fence) {
        waiting.merge(fence, 1L, Long::sum);
        return waiting.size() >= MOST_WAITING;
    }

    /** How many replays of the entry with this fence wait. */
    public long of(long fence) {
        return waiting.getOrDefault(fence, 0L);
    }

    /** Of how many entries some wait. */
    public long entries() {
        return waiting.mappingCount();
    }

    /** Whether none wait. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** How many wait in all. */
    public long total() {
        return waiting.reduceValuesToLong(Long.MAX_VALUE, Long::longValue, 0, Long::sum);
    }

    /** Takes some of them out, to be written. */
    public Map<Long, Long> take() {
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

    /** Puts back what could not be written. */
    public void giveBack(Map<Long, Long> taken) {
        taken.forEach((fence, count) -> waiting.merge(fence, count, Long::sum));
    }
}
