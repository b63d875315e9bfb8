package dev.idem.server;

import dev.idem.State;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Figures.Kind;
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
import org.jspecify.annotations.Nullable;

/** The method {@code counts}: numbers of the last hours or days, for a page for people. */
final class CountMethod {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration KEPT_FOR = Duration.ofSeconds(5);
    private static final int MOST_OPERATIONS = 100;

    private static final List<State> SHOWN = List.of(State.IN_PROGRESS, State.COMPLETE, State.FAILED, State.IN_DOUBT);
    private static final List<Kind> TRIES = List.of(Kind.IN_PROGRESS, Kind.COMPLETE, Kind.FAILED, Kind.IN_DOUBT);

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
        @Nullable
        Figures figures =
                browsable.figures(query).map(CountMethod::withoutInternal).orElse(null);
        Map<String, Numbers> operations = by(counts, Counts.Group::operation, figures, Figures.Count::operation);
        Map<Instant, Numbers> hours = by(counts, Counts.Group::hour, figures, Figures.Count::hour);
        Map<String, Numbers> all = by(counts, group -> "", figures, count -> "");
        if (figures != null) {
            figures.took().forEach(took -> {
                operations
                        .computeIfAbsent(took.operation(), first -> new Numbers(true))
                        .add(took);
                all.computeIfAbsent("", first -> new Numbers(true)).add(took);
            });
        }
        return all.getOrDefault("", new Numbers(figures != null))
                .addTo(Answer.of("done").with("as_of", now).with("from", counts.from()))
                .with("since", figures == null ? null : figures.since())
                .with("tries_from", figures == null ? null : figures.from())
                .with("oldest_doubt", oldestDoubt(browsable, query))
                .with(
                        "by_operation",
                        operations.entrySet().stream()
                                .sorted(Map.Entry.comparingByValue(
                                        Comparator.comparingLong(Numbers::calls).reversed()))
                                .limit(MOST_OPERATIONS)
                                .map(each -> each.getValue()
                                        .addTo(new Answer().with("operation", each.getKey()))
                                        .members())
                                .toList())
                .with(
                        "more_operations",
                        operations.size() > MOST_OPERATIONS ? operations.size() - MOST_OPERATIONS : null)
                .with(
                        "by_hour",
                        hours.entrySet().stream()
                                .map(each -> each.getValue()
                                        .addTo(new Answer().with("hour", each.getKey()))
                                        .members())
                                .toList());
    }

    private static Figures withoutInternal(Figures figures) {
        return new Figures(
                figures.since(),
                figures.from(),
                figures.counts().stream()
                        .filter(count -> !Access.isInternalOperation(count.operation()))
                        .toList(),
                figures.took().stream()
                        .filter(took -> !Access.isInternalOperation(took.operation()))
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

    private static <K extends Comparable<K>> Map<K, Numbers> by(
            Counts counts, Function<Counts.Group, K> part, @Nullable Figures figures, Function<Figures.Count, K> same) {
        Map<K, Numbers> all = new TreeMap<>();
        Function<K, Numbers> first = key -> new Numbers(figures != null);
        counts.groups()
                .forEach(group -> all.computeIfAbsent(part.apply(group), first).add(group));
        if (figures != null) {
            figures.counts()
                    .forEach(count ->
                            all.computeIfAbsent(same.apply(count), first).add(count));
        }
        return all;
    }

    /** The numbers of some groups together. */
    private static final class Numbers {
        private final boolean exact;
        private final Map<State, Long> entries = new HashMap<>();
        private final Map<Kind, Long> kinds = new HashMap<>();
        private final TreeMap<Long, Long> took = new TreeMap<>();
        private long replays;

        /**
         * Nothing yet.
         *
         * @param exact whether the ledger counts tries
         */
        Numbers(boolean exact) {
            this.exact = exact;
        }

        void add(Counts.Group group) {
            entries.merge(group.state(), group.entries(), Long::sum);
            replays += group.replays();
        }

        void add(Figures.Count count) {
            kinds.merge(count.kind(), count.count(), Long::sum);
        }

        void add(Figures.Took one) {
            took.merge(one.millis(), one.count(), Long::sum);
        }

        long calls() {
            return (exact ? kinds : entries)
                    .values().stream().mapToLong(Long::longValue).sum();
        }

        Answer addTo(Answer answer) {
            answer.with("entries", words(State::word, SHOWN, entries)).with("replays", replays);
            return !exact
                    ? answer
                    : answer.with("tries", words(Kind::word, TRIES, kinds))
                            .with("duplicates", kinds.getOrDefault(Kind.DUPLICATE, 0L))
                            .with("median_ms", percentile(50))
                            .with("p95_ms", percentile(95));
        }

        private static <K> Map<String, @Nullable Object> words(
                Function<K, String> word, List<K> shown, Map<K, Long> counts) {
            Map<String, @Nullable Object> words = new LinkedHashMap<>();
            shown.forEach(each -> words.put(word.apply(each), counts.getOrDefault(each, 0L)));
            return words;
        }

        /** The shortest time within which so many of the completed tries ended. */
        private @Nullable Long percentile(int percent) {
            long all = took.values().stream().mapToLong(Long::longValue).sum();
            long left = (all * percent + 99) / 100;
            for (Map.Entry<Long, Long> each : took.entrySet()) {
                left -= each.getValue();
                if (left <= 0) {
                    return each.getKey();
                }
            }
            return null;
        }
    }
}
