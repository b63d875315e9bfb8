package dev.idem.spi.browse;

import dev.idem.State;
import dev.idem.spi.Ledger;
import java.util.Map;

/**
 * Statistics of a ledger.
 *
 * @param entries how many in each state, as {@link Ledger#find} would show them
 * @param replays how often they have answered a duplicate
 */
public record Stats(Map<State, Long> entries, long replays) {
    public Stats {
        entries = Map.copyOf(entries);
    }

    public long count(State state) {
        return entries.getOrDefault(state, 0L);
    }
}
