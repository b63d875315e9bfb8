package dev.idem.spi.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.store.PagePlace;
import dev.idem.internal.store.Purging;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import dev.idem.spi.browse.Walkable;
import dev.idem.spi.browse.Walkable.Batch;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lists, counts and purges the rows of a store without an order. Each page walks over all rows and keeps those that it
 * shows. A purge looks at some rows only, and the next one goes on from there.
 */
final class Walker implements Browsable {
    /** A purge is done beside other work, and must not take long. */
    private static final int MOST_BATCHES = 100;

    private final StoreLedger ledger;
    private final Walkable store;
    private final Purging purging;
    private final ReentrantLock onePurge = new ReentrantLock();
    private @Nullable String purgeFrom;

    Walker(StoreLedger ledger, Walkable store, Purging purging) {
        this.ledger = ledger;
        this.store = store;
        this.purging = purging;
    }

    @Override
    public Page browse(Query query) {
        ledger.requireOpen();
        PagePlace after = query.after() == null ? null : PagePlace.parse(query.after());
        TreeMap<PagePlace, Entry> page = new TreeMap<>(PagePlace.order(query.oldestFirst()));
        UnreadableRows unreadable = new UnreadableRows(ledger, query);
        boolean more = false;
        Batch batch = null;
        do {
            batch = store.walk(false, batch == null ? null : batch.next());
            batch.unreadable().forEach(unreadable::add);
            for (Row row : batch.rows()) {
                Entry entry = unreadable.read(row, batch.now());
                if (entry == null || !query.matches(entry, batch.now().wall())) {
                    continue;
                }
                PagePlace place = PagePlace.of(entry);
                if (after == null || page.comparator().compare(place, after) > 0) {
                    page.put(place, entry);
                }
                if (page.size() > query.limit()) {
                    page.pollLastEntry();
                    more = true;
                }
            }
        } while (batch.next() != null);
        // Each page walks over all rows. The first one names those that can't be read, which may have no fence.
        return new Page(
                List.copyOf(page.values()),
                more ? page.lastKey().toString() : null,
                after == null ? unreadable.list() : List.of());
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
        Set<Address> met = new HashSet<>();
        long replays = 0;
        Batch batch = null;
        do {
            batch = store.walk(false, batch == null ? null : batch.next());
            for (Row row : batch.rows()) {
                State state = UnreadableRows.stateOf(row, ledger, batch.now());
                if (state != null && met.add(row.at())) {
                    counts.merge(state, 1L, Long::sum);
                    replays += row.replays();
                }
            }
        } while (batch.next() != null);
        return new Stats(counts, replays);
    }

    @Override
    public Counts counts(Query query) {
        ledger.requireOpen();
        writeCounts();
        UnreadableRows unreadable = new UnreadableRows(ledger, query);
        Counts.Tally tally = new Counts.Tally();
        Set<Address> met = new HashSet<>();
        Batch batch = null;
        do {
            batch = store.walk(false, batch == null ? null : batch.next());
            for (Row row : batch.rows()) {
                Entry entry = unreadable.read(row, batch.now());
                if (entry != null && query.matches(entry, batch.now().wall()) && met.add(row.at())) {
                    tally.add(entry);
                }
            }
        } while (batch.next() != null);
        return tally.counts(null);
    }

    @Override
    public int purge(int limit) {
        ledger.requireOpen();
        onePurge.lock();
        try {
            return walk(limit);
        } finally {
            onePurge.unlock();
        }
    }

    private int walk(int limit) {
        String place = purgeFrom;
        // After a failure the next purge starts from the beginning: the stored place may be the cause.
        purgeFrom = null;
        int purged = 0;
        int batches = 0;
        do {
            Batch batch = store.walk(true, place);
            List<Row> rows = batch.rows();
            for (int from = 0; from < rows.size(); ) {
                int to = Math.min(rows.size(), from + limit - purged);
                purged += purging.purge(rows.subList(from, to), batch.now());
                from = to;
                if (purged == limit) {
                    purgeFrom = place;
                    return purged;
                }
            }
            place = batch.next();
        } while (place != null && ++batches < MOST_BATCHES);
        purgeFrom = place;
        return purged;
    }
}
