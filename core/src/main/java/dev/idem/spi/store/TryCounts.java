package dev.idem.spi.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.State;
import dev.idem.internal.store.Tries;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Moment;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Figures.Count;
import dev.idem.spi.browse.Figures.Kind;
import dev.idem.spi.browse.Figures.Took;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.TryCounting;
import dev.idem.spi.browse.TryCounting.Hourly;
import dev.idem.spi.browse.TryCounting.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntBiFunction;
import org.jspecify.annotations.Nullable;

/** Counts tries and duplicates by the hour. Rows whose columns do not tell their tries are judged one by one. */
final class TryCounts {
    /** As far back as is counted, and the hour in which that begins. */
    private static final Duration KEPT = Duration.ofDays(7).plusHours(1);

    /** Counting takes about a microsecond for each row. */
    private static final long MOST_COUNTED = 2_000_000;

    private static final long FIRST_STEP = 1000;

    /** A clock may have been set back by this much: what was claimed before and behind the step is in order all the same. */
    private static final Duration LONGEST_STEP = Duration.ofDays(1);

    private final StoreLedger ledger;
    private final Searchable searchable;
    private final TryCounting counting;

    private TryCounts(StoreLedger ledger, Searchable searchable, TryCounting counting) {
        this.ledger = ledger;
        this.searchable = searchable;
        this.counting = counting;
    }

    static Optional<TryCounts> of(StoreLedger ledger, Searchable searchable) {
        return searchable instanceof TryCounting counting
                ? Optional.of(new TryCounts(ledger, searchable, counting))
                : Optional.empty();
    }

    Optional<Figures> figures(Query query) {
        Duration age = query.newerThan();
        Query plain = Query.all().withScopes(query.scopes()).withOperation(query.operation());
        if (age == null || !plain.withAge(null, age).withLimit(query.limit()).equals(query)) {
            return Optional.empty();
        }
        Searchable.Rows newest = row(Long.MAX_VALUE);
        Instant since = newest.now().wall().minus(age).truncatedTo(ChronoUnit.HOURS);
        Query upwards = plain.withOldestFirst();
        long highest =
                newest.rows().isEmpty() ? 0 : newest.rows().get(0).fence().number();
        long behind = beginning(highest, since);
        Sum sum = new Sum(since);
        Optional<Figures> told = counting.figures(
                upwards,
                since,
                behind,
                rows -> rows.rows()
                        .forEach(row -> tries(row, rows.now())
                                .ifPresent(tries -> sum.add(row.at().operation(), tries))));
        return told.map(columns -> {
            sum.from(columns.from());
            columns.counts().forEach(sum::add);
            columns.took().forEach(sum::add);
            if (behind > 0 && behind == highest - MOST_COUNTED) {
                row(behind + 1).rows().forEach(row -> sum.from(Browser.fencedBy(row)));
            }
            return sum.figures();
        });
    }

    private Optional<Tries> tries(Row row, Moment now) {
        try {
            // Only what is in progress may count as something else by now.
            Entry entry = row.state() == State.IN_PROGRESS ? ledger.viewed(row, now) : null;
            return Optional.of(Tries.of(row, entry == null ? null : entry.state()));
        } catch (LedgerUnreadableException e) {
            // A list names it.
            return Optional.empty();
        }
    }

    /** The newest row below a fence, also a forgotten one: it had a try. */
    private Searchable.Rows row(long below) {
        return searchable.scan(Query.all(), Set.of(), below, 1);
    }

    /**
     * A fence behind which all rows stand that were claimed since then. Fences grow with the time, so some looks further and
     * further back find it. Where the clock was set back, the look that is furthest back counts.
     */
    private long beginning(long highest, Instant since) {
        long behind = -1;
        for (long step = FIRST_STEP; step < Math.min(highest, MOST_COUNTED); step *= 2) {
            long below = highest - step;
            boolean older = row(below).rows().stream()
                    .allMatch(row -> Browser.fencedBy(row).isBefore(since.minus(LONGEST_STEP)));
            behind = !older ? -1 : behind < 0 ? below - 1 : behind;
        }
        return behind < 0 ? Math.max(0, highest - MOST_COUNTED) : behind;
    }

    /** Deletes rows; a store that counts tries keeps what they told. */
    static ToIntBiFunction<List<Row>, Moment> deleting(Searchable searchable) {
        return searchable instanceof TryCounting counting
                ? (rows, now) -> counting.deleteTold(rows.stream()
                        .map(row -> told(row, now.wall().minus(KEPT)))
                        .toList())
                : (rows, now) -> searchable.delete(rows);
    }

    private static Told told(Row row, Instant since) {
        List<Hourly> told = new ArrayList<>();
        try {
            Tries tries = Tries.of(row, null);
            tries.all().forEach(each -> told.add(hourly(row, each.began(), each.kind(), each.millis())));
            if (tries.from() != null) {
                told.add(hourly(row, tries.from(), Kind.LOST, -1));
            }
        } catch (LedgerUnreadableException e) {
            // It is deleted as well, and tells nothing.
        }
        told.removeIf(each -> each.hour().isBefore(since));
        return new Told(row, told);
    }

    private static Hourly hourly(Row row, Instant at, Kind kind, long millis) {
        Address of = row.at();
        return new Hourly(at.truncatedTo(ChronoUnit.HOURS), of.scope(), of.operation(), kind, millis, 1);
    }

    /** Adds up. */
    private static final class Sum {
        final Instant since;
        private final Map<Count, Long> counts = new HashMap<>();
        private final Map<Took, Long> took = new HashMap<>();
        private @Nullable Instant from;

        Sum(Instant since) {
            this.since = since;
        }

        void from(@Nullable Instant time) {
            if (time != null && time.isAfter(since) && (from == null || time.isAfter(from))) {
                from = time;
            }
        }

        void add(Count more) {
            if (more.kind() == Kind.LOST) {
                from(more.hour().plus(1, ChronoUnit.HOURS));
                return;
            }
            counts.merge(new Count(more.hour(), more.operation(), more.kind(), 0), more.count(), Long::sum);
        }

        void add(Took more) {
            took.merge(new Took(more.operation(), more.millis(), 0), more.count(), Long::sum);
        }

        void add(String operation, Tries tries) {
            from(tries.from());
            for (Tries.Try each : tries.all()) {
                if (!each.began().isBefore(since)) {
                    add(new Count(each.began().truncatedTo(ChronoUnit.HOURS), operation, each.kind(), 1));
                    if (each.millis() >= 0) {
                        add(new Took(operation, each.millis(), 1));
                    }
                }
            }
        }

        Figures figures() {
            return new Figures(
                    since,
                    from,
                    counts.entrySet().stream()
                            .map(each -> new Count(
                                    each.getKey().hour(),
                                    each.getKey().operation(),
                                    each.getKey().kind(),
                                    each.getValue()))
                            .toList(),
                    took.entrySet().stream()
                            .map(each -> new Took(
                                    each.getKey().operation(), each.getKey().millis(), each.getValue()))
                            .toList());
        }
    }
}
