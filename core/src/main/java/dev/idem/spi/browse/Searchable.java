package dev.idem.spi.browse;

import dev.idem.State;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Moment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A store whose rows can be listed, counted and deleted. */
public interface Searchable {
    /**
     * Rows in the order of their fences, the highest first unless the query wants the oldest first. It may return rows that do not match the query, but must
     * not leave out a row that matches: {@link dev.idem.spi.store.StoreLedger} checks each row by the rules.
     *
     * @param stored the stored states to look for. The states of the query are those that people see. They differ
     *     where a lease has ended
     * @param from only rows behind this fence: with a lower one, or with a higher one if the oldest come first
     */
    Rows scan(Query query, Set<State> stored, long from, int limit);

    /**
     * Rows whose {@link EntryStore.Draft#dueIn()} is over, in any order that pages can follow. A page goes on behind the
     * last row of the page before, also where that row is still there: a row that can't be purged must not be given again
     * and again in place of others.
     *
     * @param place null to begin, else the {@link Walkable.Batch#next()} of the page before
     */
    Walkable.Batch due(@Nullable String place, int limit);

    /** How many rows are due. */
    long countDue();

    /** Deletes those of the rows whose version is still the same, in one step if it can. Gives how many it has deleted. */
    int delete(List<EntryStore.Row> seen);

    /** How many rows there are in each stored state, without forgotten ones. */
    Map<State, Long> counts();

    /**
     * How many rows match a query, by operation, stored state and hour of their claim, without rows that have expired. No
     * rule filters these rows: the store compares exactly. Empty if the store can't count so; then the rows are read.
     *
     * @param stored some of complete, failed and in doubt
     * @param from only rows behind this fence: with a higher one if the oldest come first
     */
    default Optional<List<Counts.Group>> counts(Query query, Set<State> stored, long from) {
        return Optional.empty();
    }

    /** The names of labels in use; empty if the store can't tell. Then entries are looked at. */
    default Optional<LabelNames> labelNames() {
        return Optional.empty();
    }

    /** How many duplicates all rows have answered. */
    long replays();

    /**
     * Some rows.
     *
     * @param now the store's time, read before the rows
     */
    record Rows(List<EntryStore.Row> rows, Moment now) {}
}
