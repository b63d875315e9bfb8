package dev.idem.spi.store;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.store.Purging;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.Stats;
import dev.idem.spi.browse.Walkable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists, counts and purges the rows of a store, as the rules see them. */
final class Browser implements Browsable {
    private static final int PORTION = 100;
    /** Counting takes microseconds for each row, and a page for people asks for it every few seconds. */
    private static final int MOST_COUNTED = 100_000;

    private final StoreLedger ledger;
    private final Searchable searchable;
    private final Purging purging;
    private final Optional<TryCounts> tries;

    Browser(StoreLedger ledger, Searchable searchable, Purging purging) {
        this.ledger = ledger;
        this.searchable = searchable;
        this.purging = purging;
        this.tries = TryCounts.of(ledger, searchable);
    }

    @Override
    public Page browse(Query query) {
        ledger.requireOpen();
        Set<State> stored = storedAs(query.states());
        long from = query.from();
        List<Entry> found = new ArrayList<>();
        UnreadableRows unreadable = new UnreadableRows(ledger, query);
        // Rows have their results with them, so the first look reads no more than a page has.
        int portion = query.limit() + 1;
        while (true) {
            Searchable.Rows rows = searchable.scan(query, stored, from, portion);
            for (Row row : rows.rows()) {
                from = row.fence().number();
                Entry entry = unreadable.read(row, rows.now());
                if (entry == null || !query.matches(entry, rows.now().wall())) {
                    continue;
                } else if (found.size() == query.limit()) {
                    // The next page begins with this entry: the rows before it belong to this page.
                    return new Page(found, Long.toString(query.oldestFirst() ? from - 1 : from + 1), unreadable.list());
                }
                found.add(entry);
            }
            if (rows.rows().size() < portion) {
                return new Page(found, null, unreadable.list());
            }
            portion = Math.max(PORTION, portion);
        }
    }

    /**
     * The stored states of rows that count as one of these states: a lapse and an expiry are not written to the row.
     */
    private static Set<State> storedAs(Set<State> seen) {
        if (seen.isEmpty()) {
            return EnumSet.allOf(State.class);
        }
        Set<State> stored = EnumSet.copyOf(seen);
        if (seen.contains(State.IN_DOUBT) || seen.contains(State.FAILED)) {
            stored.add(State.IN_PROGRESS);
        }
        if (seen.contains(State.EXPIRED)) {
            stored.add(State.COMPLETE);
            stored.add(State.FAILED);
        }
        return stored;
    }

    @Override
    public int purge(int limit) {
        ledger.requireOpen();
        int purged = 0;
        String place = null;
        do {
            Walkable.Batch due = searchable.due(place, Math.min(limit - purged, PORTION));
            purged += purging.purge(due.rows(), due.now());
            place = due.next();
        } while (place != null && purged < limit);
        return purged;
    }

    @Override
    public OptionalLong purgeable() {
        ledger.requireOpen();
        return OptionalLong.of(searchable.countDue());
    }

    @Override
    public void countReplay(Entry answered) {
        // It came shortly before that.
        Instant settled = answered.times().settled();
        ledger.replays()
                .count(answered.ticket(), settled == null ? answered.times().claimed() : settled);
    }

    @Override
    public void writeCounts() {
        ledger.replays().flush();
    }

    @Override
    public Stats stats() {
        ledger.requireOpen();
        writeCounts();
        Map<State, Long> counts = new EnumMap<>(State.class);
        counts.putAll(searchable.counts());
        // A lapse and an expiry are not written to the row, so these rows are judged one by one.
        count(counts, EnumSet.of(State.IN_PROGRESS));
        expired(counts);
        counts.values().removeIf(count -> count == 0);
        return new Stats(counts, searchable.replays());
    }

    /**
     * Rows that count as they are stored are counted by the store's own statement, the others are judged one by one.
     * Fences only grow, so there are at most so many rows above a bound.
     */
    @Override
    public Counts counts(Query query) {
        ledger.requireOpen();
        writeCounts();
        Query upwards = query.withOldestFirst();
        long from = Math.max(0, newestFence() - MOST_COUNTED);
        Set<State> judged = storedAs(query.states());
        Set<State> settled = EnumSet.of(State.COMPLETE, State.FAILED, State.IN_DOUBT);
        settled.removeIf(state -> !query.states().isEmpty() && !query.states().contains(state));
        Counts.Tally tally = new Counts.Tally();
        if (!settled.isEmpty()) {
            searchable.counts(upwards, settled, from).ifPresent(groups -> {
                groups.forEach(tally::add);
                judged.retainAll(EnumSet.of(State.IN_PROGRESS));
            });
        }
        if (!judged.isEmpty()) {
            judge(upwards, judged, from, tally);
        }
        return tally.counts(from == 0 ? null : began(query, from));
    }

    @Override
    public Optional<Figures> figures(Query query) {
        ledger.requireOpen();
        writeCounts();
        return tries.flatMap(each -> each.figures(query));
    }

    @Override
    public LabelNames labelNames() {
        ledger.requireOpen();
        return searchable.labelNames().orElseGet(Browsable.super::labelNames);
    }

    private void judge(Query query, Set<State> stored, long begin, Counts.Tally tally) {
        UnreadableRows unreadable = new UnreadableRows(ledger, query);
        long from = begin;
        Searchable.Rows rows;
        do {
            rows = searchable.scan(query, stored, from, PORTION);
            for (Row row : rows.rows()) {
                from = row.fence().number();
                Entry entry = unreadable.read(row, rows.now());
                if (entry != null && query.matches(entry, rows.now().wall())) {
                    tally.add(entry);
                }
            }
        } while (rows.rows().size() == PORTION);
    }

    private long newestFence() {
        return searchable.scan(Query.all(), EnumSet.allOf(State.class), Long.MAX_VALUE, 1).rows().stream()
                .mapToLong(row -> row.fence().number())
                .findFirst()
                .orElse(0);
    }

    /** When the oldest row above a fence got its fence; null if the query asks for newer ones anyway. */
    private @Nullable Instant began(Query query, long fence) {
        Searchable.Rows first = searchable.scan(Query.all().withOldestFirst(), EnumSet.allOf(State.class), fence, 1);
        Instant now = first.now().wall();
        return first.rows().stream()
                .map(Browser::fencedBy)
                .filter(fenced -> query.newerThan() == null || fenced.isAfter(now.minus(query.newerThan())))
                .findFirst()
                .orElse(null);
    }

    /** A time at which a row had its fence: a person's decision, long after the claim, gives it a new one. */
    static Instant fencedBy(Row row) {
        Instant claimed = row.claimed().wall();
        Moment settled = row.settled();
        return settled == null || settled.wall().isBefore(claimed) ? claimed : settled.wall();
    }

    private void count(Map<State, Long> counts, Set<State> stored) {
        long below = Long.MAX_VALUE;
        Searchable.Rows rows;
        do {
            rows = searchable.scan(Query.all(), stored, below, PORTION);
            for (Row row : rows.rows()) {
                below = row.fence().number();
                move(counts, row, rows.now());
            }
        } while (rows.rows().size() == PORTION);
    }

    private void expired(Map<State, Long> counts) {
        String place = null;
        do {
            Walkable.Batch due = searchable.due(place, PORTION);
            due.rows().forEach(row -> move(counts, row, due.now()));
            place = due.next();
        } while (place != null);
    }

    private void move(Map<State, Long> counts, Row row, Moment now) {
        State seen = UnreadableRows.stateOf(row, ledger, now);
        if (row.state() != null && seen != row.state()) {
            counts.merge(row.state(), -1L, Long::sum);
            if (seen != null) {
                counts.merge(seen, 1L, Long::sum);
            }
        }
    }
}
