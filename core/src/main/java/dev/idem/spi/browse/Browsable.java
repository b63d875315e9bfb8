package dev.idem.spi.browse;

import dev.idem.Entry;
import dev.idem.spi.Ledger;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** A ledger whose entries can be listed, counted and purged. */
public interface Browsable {
    /** One page of entries, newest claim first unless the query says otherwise, as {@link Ledger#find} would show each of them. */
    Page browse(Query query);

    /**
     * Removes up to {@code limit} expired entries (or reduces them to their tombstones) and returns how many. It never
     * touches entries in progress or in doubt.
     */
    int purge(int limit);

    /** How many entries a purge would remove or reduce now; empty where only a purge can find out. */
    default OptionalLong purgeable() {
        return OptionalLong.empty();
    }

    /** How many entries there are in each state, and how often they have answered duplicates. */
    Stats stats();

    /**
     * How many entries match a query, by operation, state and hour of the newest claim. They are the entries that
     * {@link #browse} shows on all pages of the query, without expired ones; the place and the limit of the query do
     * not matter. A ledger that can't count by itself looks at each entry.
     */
    default Counts counts(Query query) {
        Query all = query.withAfter(null).withLimit(1000);
        Counts.Tally tally = new Counts.Tally();
        Page page = browse(all);
        while (true) {
            page.entries().forEach(tally::add);
            if (page.next() == null) {
                return tally.counts(null);
            }
            page = browse(all.withAfter(page.next()));
        }
    }

    /**
     * What happened since the full hour in which {@link Query#newerThan()} began, in the scopes and of the operation of the
     * query. It is exact, or says from when on. Empty if the ledger can't tell, or the query filters by anything else.
     */
    default Optional<Figures> figures(Query query) {
        return Optional.empty();
    }

    /**
     * The names of labels in all scopes. A ledger without an index of them looks at its newest 20,000 entries.
     */
    default LabelNames labelNames() {
        Query query = Query.all().withLimit(1000);
        Set<String> names = new HashSet<>();
        Page page = browse(query);
        for (int pages = 1; ; pages++) {
            page.entries().forEach(entry -> names.addAll(entry.labels().keySet()));
            if (page.next() == null || pages == 20) {
                return new LabelNames(names, page.next() == null);
            }
            page = browse(query.withAfter(page.next()));
        }
    }

    /** Counts a duplicate that got the result of this entry without asking the ledger. */
    default void countReplay(Entry answered) {}

    /** Writes the counts of replays that are only in memory, so that other processes see them. */
    default void writeCounts() {}
}
