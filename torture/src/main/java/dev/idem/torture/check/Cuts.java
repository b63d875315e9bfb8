package dev.idem.torture.check;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;

/** Where the story of a key may have begun anew: fences up to which everything was forgotten, or may have expired. */
final class Cuts {
    private final NavigableSet<Long> forgotten = new TreeSet<>();
    private final NavigableSet<Long> expiring = new TreeSet<>();
    private final Map<Long, Integer> underWay = new HashMap<>();

    /** Somebody is about to have it forgotten. Until the answer is known it may have been. */
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

    /** What this ticket has settled may expire. */
    void expiring(long fence) {
        expiring.add(fence);
    }

    /** What this ticket has settled stays: nobody knows what it is. */
    void staying(long fence) {
        expiring.remove(fence);
    }

    /** Whether what holds of the one fence still holds when the other is given out. */
    boolean between(long earlier, long later) {
        return within(forgotten, earlier, later)
                || within(expiring, earlier, later)
                || underWay.entrySet().stream()
                        .anyMatch(each -> each.getValue() > 0 && each.getKey() >= earlier && each.getKey() < later);
    }

    /** Whether what was done under this fence may be gone. */
    boolean after(long fence) {
        return between(fence, Long.MAX_VALUE);
    }

    private static boolean within(NavigableSet<Long> cuts, long earlier, long later) {
        Long next = cuts.ceiling(earlier);
        return next != null && next < later;
    }
}
