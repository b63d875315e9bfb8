package dev.idem.spi.browse;

import dev.idem.Entry;
import dev.idem.State;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How many entries match a query, in groups.
 *
 * @param groups in no order
 * @param from entries that were claimed before this time may be missing, because the ledger counts only its newest
 *     entries; null where all are counted
 */
public record Counts(List<Group> groups, @Nullable Instant from) {
    public Counts {
        groups = List.copyOf(groups);
    }

    /**
     * Entries of one operation, in one state, that were claimed in the same hour.
     *
     * @param hour its beginning, UTC
     * @param replays how many duplicates they have answered
     */
    public record Group(String operation, State state, Instant hour, long entries, long replays) {}

    /** Adds up entries and groups, and leaves out expired entries. Not thread-safe. */
    public static final class Tally {
        private final Map<Group, Group> groups = new HashMap<>();

        /** Makes an empty tally. */
        public Tally() {}

        public void add(Entry entry) {
            if (entry.state() == State.EXPIRED) {
                return;
            }
            Instant hour = entry.times().claimed().truncatedTo(ChronoUnit.HOURS);
            add(new Group(entry.address().operation(), entry.state(), hour, 1, entry.replays()));
        }

        public void add(Group more) {
            groups.merge(
                    new Group(more.operation, more.state, more.hour, 0, 0),
                    more,
                    (one, other) -> new Group(
                            one.operation,
                            one.state,
                            one.hour,
                            one.entries + other.entries,
                            one.replays + other.replays));
        }

        public Counts counts(@Nullable Instant from) {
            return new Counts(List.copyOf(groups.values()), from);
        }
    }
}
