package dev.idem.testkit.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists and counts the entries of a {@link PlainLedger}. */
final class Listing {
    private Listing() {}

    static Page page(Stream<Entry> entries, Query query, Instant now) {
        String after = query.after();
        long first = query.oldestFirst() ? 0 : Long.MAX_VALUE;
        long from = after == null ? first : number(after);
        List<Entry> found = matching(entries, query, now)
                .filter(entry -> query.isBehind(entry.fence().number(), from))
                .limit(query.limit() + 1L)
                .toList();
        return found.size() <= query.limit()
                ? new Page(found, null)
                : new Page(
                        found.subList(0, query.limit()),
                        found.get(query.limit() - 1).fence().toString());
    }

    static Stream<Entry> matching(Stream<Entry> entries, Query query, Instant now) {
        Comparator<Entry> oldestFirst = Comparator.comparing(Entry::fence);
        return entries.filter(entry -> named(entry, query) && aged(entry, query, now))
                .sorted(query.oldestFirst() ? oldestFirst : oldestFirst.reversed());
    }

    static long number(String after) {
        try {
            return Long.parseLong(after);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + after + "' is no cursor; use the next() of a page", e);
        }
    }

    private static boolean named(Entry entry, Query query) {
        return (query.states().isEmpty() || query.states().contains(entry.state()))
                && query.matches(entry.address())
                && entry.labels().entrySet().containsAll(query.labels().entrySet());
    }

    private static boolean aged(Entry entry, Query query, Instant now) {
        Instant claimed = entry.times().claimed();
        return (query.olderThan() == null || !claimed.isAfter(now.minus(query.olderThan())))
                && (query.newerThan() == null || !claimed.isBefore(now.minus(query.newerThan())));
    }

    static Stats stats(Stream<Entry> entries) {
        Map<State, Long> counts = new EnumMap<>(State.class);
        long replays = 0;
        for (Entry entry : entries.toList()) {
            counts.merge(entry.state(), 1L, Long::sum);
            replays += entry.replays();
        }
        return new Stats(counts, replays);
    }
}
