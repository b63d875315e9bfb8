package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Lists and counts entries as they count now, which may differ from what was written. */
final class Browsing {
    private static final int ALL_KINDS = -1;

    private final Store store;
    private final StateMachine rules;

    Browsing(Store store, StateMachine rules) {
        this.store = store;
        this.rules = rules;
    }

    Page page(Query query, Moment now) {
        return store.reading(from -> page(from, query, now));
    }

    private Page page(Generation from, Query query, Moment now) throws IOException {
        long below = query.after() == null ? Long.MAX_VALUE : cursor(query.after());
        List<Entry> found = new ArrayList<>();
        // The rarer what is looked for, the more is read at once.
        int most = Math.max(64, 2 * query.limit());
        while (found.size() <= query.limit()) {
            List<Index.Place> places = newest(from, below, kinds(query), now, most);
            for (Index.Place place : places) {
                Entry entry = rules.view(store.load(from, place), now);
                if (entry != null && matches(entry, query, now.wall())) {
                    found.add(entry);
                    if (found.size() > query.limit()) {
                        break;
                    }
                }
            }
            if (places.size() < most) {
                break;
            }
            below = places.get(places.size() - 1).fence();
            most = Math.min(1 << 16, 4 * most);
        }
        if (found.size() <= query.limit()) {
            return new Page(found, null);
        }
        List<Entry> page = found.subList(0, query.limit());
        return new Page(page, page.get(page.size() - 1).fence().toString());
    }

    /** The places with the highest fences below one, highest first. */
    private static List<Index.Place> newest(Generation from, long below, int kinds, Moment now, int most) {
        Comparator<Index.Place> byFence = Comparator.comparingLong(Index.Place::fence);
        PriorityQueue<Index.Place> highest = new PriorityQueue<>(byFence);
        from.index().visit(below, kinds, LineHead.micros(now.wall()), place -> {
            if (highest.size() < most) {
                highest.add(place);
            } else if (place.fence() > highest.element().fence()) {
                highest.remove();
                highest.add(place);
            }
        });
        List<Index.Place> places = new ArrayList<>(highest);
        places.sort(byFence.reversed());
        return places;
    }

    /** What was written as one of these may count as one of those that are asked for. */
    private static int kinds(Query query) {
        if (query.states().isEmpty()) {
            return ALL_KINDS;
        }
        int kinds = LineHead.Kind.IN_PROGRESS.bit();
        for (State state : query.states()) {
            kinds |= LineHead.Kind.valueOf(state.name()).bit();
        }
        return kinds;
    }

    Stats stats(Moment now) {
        return store.reading(from -> stats(from, now));
    }

    private Stats stats(Generation from, Moment now) throws IOException {
        long micros = LineHead.micros(now.wall());
        Map<State, Long> counts = new EnumMap<>(State.class);
        long[] replays = new long[1];
        List<Index.Place> unsure = new ArrayList<>();
        from.index().visit(Long.MAX_VALUE, ALL_KINDS, micros, place -> {
            if (place.kind() == LineHead.Kind.IN_PROGRESS || place.due() <= micros) {
                unsure.add(place);
            } else {
                counts.merge(State.valueOf(place.kind().name()), 1L, Long::sum);
                replays[0] += place.replays() + (long) store.replays().of(place.fence());
            }
        });
        for (Index.Place place : unsure) {
            Entry entry = rules.view(store.load(from, place), now);
            if (entry != null) {
                counts.merge(entry.state(), 1L, Long::sum);
                replays[0] += entry.replays();
            }
        }
        return new Stats(counts, replays[0]);
    }

    /** Where a purge has something to do. */
    List<Address> due(Moment now, int limit) {
        return store.reading(from -> {
            List<Address> addresses = new ArrayList<>();
            for (Index.Place place : from.index().due(LineHead.micros(now.wall()), limit)) {
                addresses.add(store.load(from, place).address());
            }
            return addresses;
        });
    }

    /** At how many places. */
    long countDue(Moment now) {
        return store.reading(from -> (long)
                from.index().due(LineHead.micros(now.wall()), Integer.MAX_VALUE).size());
    }

    private static boolean matches(Entry entry, Query query, Instant now) {
        Instant claimed = entry.times().claimed();
        return (query.states().isEmpty() || query.states().contains(entry.state()))
                && is(query.scope(), entry.address().scope())
                && is(query.operation(), entry.address().operation())
                && is(query.key(), entry.address().key())
                && entry.labels().entrySet().containsAll(query.labels().entrySet())
                && (query.olderThan() == null || !claimed.isAfter(now.minus(query.olderThan())))
                && (query.newerThan() == null || !claimed.isBefore(now.minus(query.newerThan())));
    }

    private static boolean is(@Nullable String wanted, String found) {
        return wanted == null || wanted.equals(found);
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
