package dev.idem.spi.store;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
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
        long from = query.from();
        Comparator<Entry> oldestFirst = Comparator.comparing(Entry::fence);
        List<Entry> found = entries.filter(
                        entry -> query.isBehind(entry.fence().number(), from) && query.matches(entry, now))
                .sorted(query.oldestFirst() ? oldestFirst : oldestFirst.reversed())
                .limit(query.limit() + 1L)
                .toList();
        if (found.size() <= query.limit()) {
            return new Page(found, null);
        }
        List<Entry> page = found.subList(0, query.limit());
        return new Page(page, page.get(page.size() - 1).fence().toString());
    }

    static Counts counts(Stream<Entry> entries, Query query, Instant now) {
        Counts.Tally tally = new Counts.Tally();
        entries.filter(entry -> query.matches(entry, now)).forEach(tally::add);
        return tally.counts(null);
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
}
