package dev.idem.memory;

import dev.idem.entry.Entry;
import dev.idem.entry.State;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.Stats;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Browses entries that are all in memory. */
final class Browsing {
    private Browsing() {}

    static Page page(Stream<Entry> entries, Query query, Instant now) {
        long below = query.after() == null ? Long.MAX_VALUE : cursor(query.after());
        List<Entry> found = entries.filter(entry -> entry.fence().number() < below && matches(entry, query, now))
                .sorted(Comparator.comparing(Entry::fence).reversed())
                .limit(query.limit() + 1L)
                .toList();
        if (found.size() <= query.limit()) {
            return new Page(found, null);
        }
        List<Entry> page = found.subList(0, query.limit());
        return new Page(page, page.get(page.size() - 1).fence().toString());
    }

    static Stats stats(Stream<Entry> entries) {
        Map<State, Long> counts = new EnumMap<>(State.class);
        long[] replays = new long[1];
        entries.forEach(entry -> {
            counts.merge(entry.state(), 1L, Long::sum);
            replays[0] += entry.replays();
        });
        return new Stats(counts, replays[0]);
    }

    private static boolean matches(Entry entry, Query query, Instant now) {
        Instant claimed = entry.times().claimed();
        return (query.states().isEmpty() || query.states().contains(entry.state()))
                && (query.scope() == null
                        || query.scope().equals(entry.address().scope()))
                && (query.operation() == null
                        || query.operation().equals(entry.address().operation()))
                && (query.key() == null || query.key().equals(entry.address().key()))
                && entry.labels().entrySet().containsAll(query.labels().entrySet())
                && (query.olderThan() == null || !claimed.isAfter(now.minus(query.olderThan())))
                && (query.newerThan() == null || !claimed.isBefore(now.minus(query.newerThan())));
    }

    private static long cursor(String after) {
        try {
            return Long.parseLong(after);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + after + "' is no place to go on from; use the next() of a page", e);
        }
    }
}
