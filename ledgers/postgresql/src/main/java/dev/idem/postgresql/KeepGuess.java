package dev.idem.postgresql;

import dev.idem.entry.Retention;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long the result of an operation will be kept, by how long the last one was. A claim writes down by it when a purge
 * is to look at the entry: settling has no index to change then. Where the guess was wrong, it has.
 */
final class KeepGuess {
    private static final int MOST_OPERATIONS = 1000;

    private final ConcurrentHashMap<String, Duration> last = new ConcurrentHashMap<>();

    Duration of(String operation) {
        return last.getOrDefault(operation, Retention.DEFAULT.keep());
    }

    void saw(String operation, Duration keep) {
        if (!keep.equals(last.get(operation)) && (last.size() < MOST_OPERATIONS || last.containsKey(operation))) {
            last.put(operation, keep);
        }
    }
}
