package dev.idem.spi.browse;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for entries. Absent parts do not restrict.
 *
 * @param states any of these; empty for all
 * @param labels all of these
 * @param olderThan claimed at least this long ago
 * @param newerThan claimed at most this long ago
 * @param after the {@link Page#next()} of the page before; null for the first page
 * @param limit how many entries at most, 1–1000
 */
public record Query(
        Set<State> states,
        @Nullable String scope,
        @Nullable String operation,
        @Nullable String key,
        Map<String, String> labels,
        @Nullable Duration olderThan,
        @Nullable Duration newerThan,
        @Nullable String after,
        int limit) {
    public Query {
        states = Set.copyOf(states);
        labels = Map.copyOf(labels);
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("a page has 1 to 1000 entries, not " + limit);
        }
    }

    /** Everything, 100 at a time. */
    public static Query all() {
        return new Query(Set.of(), null, null, null, Map.of(), null, null, null, 100);
    }

    public Query withStates(State... any) {
        return new Query(Set.of(any), scope, operation, key, labels, olderThan, newerThan, after, limit);
    }

    public Query withScope(@Nullable String name) {
        return new Query(states, name, operation, key, labels, olderThan, newerThan, after, limit);
    }

    public Query withOperation(@Nullable String name) {
        return new Query(states, scope, name, key, labels, olderThan, newerThan, after, limit);
    }

    public Query withKey(@Nullable String name) {
        return new Query(states, scope, operation, name, labels, olderThan, newerThan, after, limit);
    }

    public Query withLabels(Map<String, String> all) {
        return new Query(states, scope, operation, key, all, olderThan, newerThan, after, limit);
    }

    public Query withAge(@Nullable Duration atLeast, @Nullable Duration atMost) {
        return new Query(states, scope, operation, key, labels, atLeast, atMost, after, limit);
    }

    public Query withAfter(@Nullable String cursor) {
        return new Query(states, scope, operation, key, labels, olderThan, newerThan, cursor, limit);
    }

    public Query withLimit(int most) {
        return new Query(states, scope, operation, key, labels, olderThan, newerThan, after, most);
    }

    /** Whether a present entry matches this filter. Its place on a page is not checked. */
    public boolean matches(Entry entry, Instant now) {
        Instant claimed = entry.times().claimed();
        return (states.isEmpty() || states.contains(entry.state()))
                && matches(entry.address())
                && entry.labels().entrySet().containsAll(labels.entrySet())
                && (olderThan == null || !claimed.isAfter(now.minus(olderThan)))
                && (newerThan == null || !claimed.isBefore(now.minus(newerThan)));
    }

    /** Whether an address has the scope, the operation and the key of this filter. */
    public boolean matches(Address address) {
        return (scope == null || scope.equals(address.scope()))
                && (operation == null || operation.equals(address.operation()))
                && (key == null || key.equals(address.key()));
    }

    /** Only entries with a lower fence are on this page: {@link #after} as a number. */
    public long below() {
        try {
            return after == null ? Long.MAX_VALUE : Long.parseLong(after);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + after + "' is no place to go on from; use the next() of a page", e);
        }
    }
}
