package dev.idem.torture.check;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** The points at which a key may have started again: fences whose entries were forgotten or may have expired. */
final class Cuts {
    private final NavigableSet<Long> forgotten = new TreeSet<>();
    private final NavigableSet<Long> expiring = new TreeSet<>();
    private final Map<Long, Integer> underWay = new HashMap<>();

    /** A forget was sent. Until its answer is known, the entry may be forgotten. */
    void forgetting(long fence) {
        underWay.merge(fence, 1, Integer::sum);
    }

    /** The ledger has answered. */
    void forgot(long fence, boolean done) {
        if (done) {
            forgotten.add(fence);
        }
        underWay.merge(fence, -1, Integer::sum);
    }

    /** The settlement of this ticket may expire. */
    void expiring(long fence) {
        expiring.add(fence);
    }

    /** The settlement of this ticket stays, because it is in doubt. */
    void staying(long fence) {
        expiring.remove(fence);
    }

    /** Whether the history may have been cut between the two fences. */
    boolean between(long earlier, long later) {
        return within(forgotten, earlier, later)
                || within(expiring, earlier, later)
                || underWay.entrySet().stream()
                        .anyMatch(each -> each.getValue() > 0 && each.getKey() >= earlier && each.getKey() < later);
    }

    /** Whether the entry of this fence may be gone. */
    boolean after(long fence) {
        return between(fence, Long.MAX_VALUE);
    }

    private static boolean within(NavigableSet<Long> cuts, long earlier, long later) {
        Long next = cuts.ceiling(earlier);
        return next != null && next < later;
    }
}
