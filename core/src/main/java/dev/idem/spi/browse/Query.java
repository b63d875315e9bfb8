package dev.idem.spi.browse;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A filter for entries. Absent parts do not restrict.
 *
 * @param states any of these; empty for all
 * @param scopes any of these; empty for all
 * @param labels all of these
 * @param olderThan claimed at least this long ago; at most a century
 * @param newerThan claimed at most this long ago; at most a century
 * @param oldestFirst whether the oldest claim comes first, not the newest
 * @param after the {@link Page#next()} of the page before; null for the first page
 * @param limit how many entries at most, 1–1000
 */
public record Query(
        Set<State> states,
        List<Match> scopes,
        @Nullable String operation,
        @Nullable Match key,
        Map<String, String> labels,
        @Nullable Duration olderThan,
        @Nullable Duration newerThan,
        boolean oldestFirst,
        @Nullable String after,
        int limit) {
    private static final Duration LONGEST = Duration.ofDays(36_525);

    /** Throws {@link IllegalArgumentException} if an age is longer than a century, or the limit is no size of a page. */
    public Query {
        requireAge(olderThan);
        requireAge(newerThan);
        states = Set.copyOf(states);
        scopes = List.copyOf(scopes);
        labels = Map.copyOf(labels);
        if (limit < 1 || limit > 1000) {
            throw new IllegalArgumentException("a page has 1 to 1000 entries, not " + limit);
        }
    }

    /** A longer one would lead out of the times that clocks and stores have. */
    private static void requireAge(@Nullable Duration age) {
        if (age != null && (age.compareTo(LONGEST) > 0 || age.compareTo(LONGEST.negated()) < 0)) {
            throw new IllegalArgumentException("an age is at most a century, not " + age);
        }
    }

    /** Everything, 100 at a time. */
    public static Query all() {
        return new Query(Set.of(), List.of(), null, null, Map.of(), null, null, false, null, 100);
    }

    public Query withStates(State... any) {
        return new Query(
                Set.copyOf(List.of(any)),
                scopes,
                operation,
                key,
                labels,
                olderThan,
                newerThan,
                oldestFirst,
                after,
                limit);
    }

    public Query withScope(@Nullable String name) {
        return new Query(
                states,
                name == null ? List.of() : List.of(Match.exactly(name)),
                operation,
                key,
                labels,
                olderThan,
                newerThan,
                oldestFirst,
                after,
                limit);
    }

    public Query withScopes(List<Match> any) {
        return new Query(states, any, operation, key, labels, olderThan, newerThan, oldestFirst, after, limit);
    }

    public Query withOperation(@Nullable String name) {
        return new Query(states, scopes, name, key, labels, olderThan, newerThan, oldestFirst, after, limit);
    }

    public Query withKey(@Nullable String name) {
        return new Query(
                states,
                scopes,
                operation,
                name == null ? null : Match.exactly(name),
                labels,
                olderThan,
                newerThan,
                oldestFirst,
                after,
                limit);
    }

    public Query withKeyLike(@Nullable Match match) {
        return new Query(states, scopes, operation, match, labels, olderThan, newerThan, oldestFirst, after, limit);
    }

    public Query withLabels(Map<String, String> all) {
        return new Query(states, scopes, operation, key, all, olderThan, newerThan, oldestFirst, after, limit);
    }

    public Query withAge(@Nullable Duration atLeast, @Nullable Duration atMost) {
        return new Query(states, scopes, operation, key, labels, atLeast, atMost, oldestFirst, after, limit);
    }

    public Query withOldestFirst() {
        return new Query(states, scopes, operation, key, labels, olderThan, newerThan, true, after, limit);
    }

    public Query withAfter(@Nullable String cursor) {
        return new Query(states, scopes, operation, key, labels, olderThan, newerThan, oldestFirst, cursor, limit);
    }

    public Query withLimit(int most) {
        return new Query(states, scopes, operation, key, labels, olderThan, newerThan, oldestFirst, after, most);
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
        return (scopes.isEmpty() || scopes.stream().anyMatch(scope -> scope.matches(address.scope())))
                && (operation == null || operation.equals(address.operation()))
                && (key == null || key.matches(address.key()));
    }

    /** The fence behind which this page begins: {@link #after} as a number. */
    public long from() {
        try {
            return after == null ? (oldestFirst ? 0 : Long.MAX_VALUE) : Long.parseLong(after);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "'" + after + "' is no place to go on from; use the next() of a page", e);
        }
    }

    /** Whether a fence is behind another one in the order of this query. */
    public boolean isBehind(long fence, long other) {
        return oldestFirst ? fence > other : fence < other;
    }
}
