package dev.idem.redis;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.State;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Lists and counts entries as they count now. Each page walks over all of them and keeps those it shows. */
final class Browsing {
    private final Scan scan;
    private final StateMachine rules;

    Browsing(Scan scan, StateMachine rules) {
        this.scan = scan;
        this.rules = rules;
    }

    Page page(Query query) {
        PagePlace after = query.after() == null ? null : PagePlace.parse(query.after());
        TreeMap<PagePlace, Entry> page = new TreeMap<>();
        boolean more = false;
        for (Scan.Place place = scan.start(); !place.isEnd(); ) {
            Scan.Batch batch = scan.entries(place);
            for (Scan.Item item : batch.items()) {
                Entry entry = view(item, batch);
                if (entry != null && matches(entry, query, batch.now().wall())) {
                    PagePlace at = PagePlace.of(entry);
                    if (after == null || at.compareTo(after) > 0) {
                        page.put(at, entry);
                    }
                }
                if (page.size() > query.limit()) {
                    page.pollLastEntry();
                    more = true;
                }
            }
            place = batch.next();
        }
        return new Page(List.copyOf(page.values()), more ? page.lastKey().toString() : null);
    }

    Stats stats() {
        Map<State, Long> counts = new EnumMap<>(State.class);
        Set<Address> seen = new HashSet<>();
        for (Scan.Place place = scan.start(); !place.isEnd(); ) {
            Scan.Batch batch = scan.entries(place);
            for (Scan.Item item : batch.items()) {
                Entry entry = view(item, batch);
                if (entry != null && seen.add(item.address())) {
                    counts.merge(entry.state(), 1L, Long::sum);
                }
            }
            place = batch.next();
        }
        return new Stats(counts, 0);
    }

    private @Nullable Entry view(Scan.Item item, Scan.Batch batch) {
        Entry entry = EntryUnpacking.unpack(item.address(), item.value(), 0);
        return entry == null ? null : rules.view(entry, batch.now());
    }

    private static boolean matches(Entry entry, Query query, Instant now) {
        Instant claimed = entry.times().claimed();
        Address address = entry.address();
        return (query.states().isEmpty() || query.states().contains(entry.state()))
                && (query.scope() == null || query.scope().equals(address.scope()))
                && (query.operation() == null || query.operation().equals(address.operation()))
                && (query.key() == null || query.key().equals(address.key()))
                && entry.labels().entrySet().containsAll(query.labels().entrySet())
                && (query.olderThan() == null || !claimed.isAfter(now.minus(query.olderThan())))
                && (query.newerThan() == null || !claimed.isBefore(now.minus(query.newerThan())));
    }
}
