package dev.idem.server;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The method {@code counts}: numbers of the last hours or days, for a page for people. */
final class CountMethod {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration KEPT_FOR = Duration.ofSeconds(5);
    private static final int MOST_OPERATIONS = 100;
    /** From so many of the newest complete entries it is told how long calls take. */
    private static final int TIMED = 200;

    private static final List<State> SHOWN = List.of(State.IN_PROGRESS, State.COMPLETE, State.FAILED, State.IN_DOUBT);

    private final LookMethods look;
    private final Shared<Query, Answer> shared = new Shared<>(KEPT_FOR, System::nanoTime);

    CountMethod(LookMethods look) {
        this.look = look;
    }

    Answer counts(Params params, Caller caller) throws InterruptedException {
        Query asked = LookMethods.query(params);
        params.end();
        Duration age = asked.newerThan() == null ? DAY : asked.newerThan();
        if (age.compareTo(WEEK) > 0) {
            throw ApiException.malformed("'newer_than_ms' must be at most 7 days. Nothing was done");
        }
        Query query = asked.withAge(asked.olderThan(), age);
        // The scopes that the caller may read are a part of the query.
        return shared.get(query, () -> count(look.browsable(), query));
    }

    private static Answer count(Browsable browsable, Query query) {
        Instant now = Instant.now();
        Counts counts = withoutInternal(browsable.counts(query));
        List<Entry> timed = browsable.browse(query.withStates(State.COMPLETE).withLimit(TIMED)).entries().stream()
                .filter(each -> !Access.isInternalOperation(each.address().operation()))
                .toList();
        Map<String, List<Entry>> times = timed.stream()
                .collect(Collectors.groupingBy(each -> each.address().operation()));
        Map<String, Numbers> operations = by(counts, Counts.Group::operation);
        Map<Instant, Numbers> hours = by(counts, Counts.Group::hour);
        Numbers all = new Numbers();
        counts.groups().forEach(all::add);
        return all.addTo(Answer.of("done").with("as_of", now).with("from", counts.from()), timed)
                .with("oldest_doubt", oldestDoubt(browsable, query))
                .with(
                        "by_operation",
                        operations.entrySet().stream()
                                .sorted(Map.Entry.comparingByValue(Comparator.comparingLong(Numbers::entries)
                                        .reversed()))
                                .limit(MOST_OPERATIONS)
                                .map(each -> each.getValue()
                                        .addTo(
                                                new Answer().with("operation", each.getKey()),
                                                times.getOrDefault(each.getKey(), List.of()))
                                        .members())
                                .toList())
                .with(
                        "more_operations",
                        operations.size() > MOST_OPERATIONS ? operations.size() - MOST_OPERATIONS : null)
                .with(
                        "by_hour",
                        hours.entrySet().stream()
                                .map(each -> each.getValue()
                                        .addTo(new Answer().with("hour", each.getKey()), List.of())
                                        .members())
                                .toList());
    }

    private static Counts withoutInternal(Counts counts) {
        return new Counts(
                counts.groups().stream()
                        .filter(group -> !Access.isInternalOperation(group.operation()))
                        .toList(),
                counts.from());
    }

    /** The doubt whose call was claimed first, however long ago that was. */
    private static @Nullable Map<String, @Nullable Object> oldestDoubt(Browsable browsable, Query query) {
        return browsable
                .browse(query.withStates(State.IN_DOUBT)
                        .withAge(null, null)
                        .withOldestFirst()
                        .withLimit(1))
                .entries()
                .stream()
                .findFirst()
                .map(EntryFields::of)
                .orElse(null);
    }

    private static <K extends Comparable<K>> Map<K, Numbers> by(Counts counts, Function<Counts.Group, K> part) {
        Map<K, Numbers> all = new TreeMap<>();
        counts.groups()
                .forEach(group -> all.computeIfAbsent(part.apply(group), first -> new Numbers())
                        .add(group));
        return all;
    }

    /** The numbers of some groups together. */
    private static final class Numbers {
        private final Map<State, Long> entries = new HashMap<>();
        private long replays;

        void add(Counts.Group group) {
            entries.merge(group.state(), group.entries(), Long::sum);
            replays += group.replays();
        }

        long entries() {
            return entries.values().stream().mapToLong(Long::longValue).sum();
        }

        Answer addTo(Answer answer, List<Entry> timed) {
            Map<String, @Nullable Object> words = new LinkedHashMap<>();
            SHOWN.forEach(state -> words.put(state.word(), entries.getOrDefault(state, 0L)));
            long[] millis = timed.stream()
                    .filter(each -> each.times().settled() != null)
                    .mapToLong(each -> Duration.between(
                                    each.times().claimed(), each.times().settled())
                            .toMillis())
                    .sorted()
                    .toArray();
            return answer.with("entries", words)
                    .with("replays", replays)
                    .with("median_ms", percentile(millis, 50))
                    .with("p95_ms", percentile(millis, 95));
        }

        private static @Nullable Long percentile(long[] sorted, int percent) {
            return sorted.length == 0 ? null : sorted[(sorted.length - 1) * percent / 100];
        }
    }
}
