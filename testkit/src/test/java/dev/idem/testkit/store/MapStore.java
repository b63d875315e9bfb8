package dev.idem.testkit.store;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Clocks;
import dev.idem.spi.EntryStore;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import dev.idem.spi.Watches;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.Walkable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The smallest store: rows in a map. */
public class MapStore implements EntryStore, Searchable, ReplayCounting, Awaitable {
    /** The rows, which outlive the store as a server or a file does. */
    public static final class Table {
        final ConcurrentHashMap<Address, Row> rows = new ConcurrentHashMap<>();
        final ConcurrentHashMap<Address, Instant> due = new ConcurrentHashMap<>();
        final AtomicLong fences = new AtomicLong();
        final Watches watches = new Watches();
    }

    protected final Table table;
    protected final Clocks clocks;

    public MapStore(Table table, Clocks clocks) {
        this.table = table;
        this.clocks = clocks;
    }

    @Override
    public Found insert(Address at, Draft first) {
        Moment now = clocks.now();
        Row[] written = new Row[1];
        Row row = table.rows.computeIfAbsent(at, absent -> written[0] = written(at, null, first));
        if (written[0] != null) {
            table.watches.wake(at);
        }
        return new Found(row, row == written[0], now);
    }

    @Override
    public Found read(Address at) {
        Moment now = clocks.now();
        return new Found(table.rows.get(at), false, now);
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        Row[] written = new Row[1];
        table.rows.computeIfPresent(seen.at(), (at, row) -> {
            boolean same = row.version() == seen.version()
                    && (guard == Guard.VERSION || row.lease().equals(seen.lease()));
            return same ? written[0] = written(at, row, next) : row;
        });
        if (written[0] == null) {
            return new Swap.Changed();
        }
        table.watches.wake(seen.at());
        return new Swap.Written(written[0]);
    }

    /** The row of a draft, with the times and the fence that the store adds. */
    protected Row written(Address at, @Nullable Row old, Draft draft) {
        Moment now = clocks.now();
        Duration dueIn = draft.dueIn();
        if (dueIn == null) {
            table.due.remove(at);
        } else {
            table.due.put(at, now.wall().plus(dueIn));
        }
        boolean claimed = draft.stamp() == Stamp.CLAIMED;
        boolean settled = draft.stamp() == Stamp.SETTLED;
        return new Row(
                at,
                draft.version(),
                draft.newFence()
                        ? new Fence(table.fences.incrementAndGet())
                        : Objects.requireNonNull(old).fence(),
                draft.state(),
                claimed ? now : Objects.requireNonNull(old).claimed(),
                draft.lease() == null ? Objects.requireNonNull(old).lease() : now.plus(draft.lease()),
                settled ? now : claimed || old == null ? null : old.settled(),
                settled ? dueIn == null ? null : now.wall().plus(dueIn) : claimed || old == null ? null : old.expires(),
                draft.fresh() || old == null ? 0 : old.replays(),
                draft.document(),
                draft.body());
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>(leases.keySet());
        leases.forEach((ticket, lease) -> table.rows.computeIfPresent(ticket.address(), (at, row) -> {
            if (row.state() != State.IN_PROGRESS || !row.fence().equals(ticket.fence())) {
                return row;
            }
            lost.remove(ticket);
            return row.with(clocks.now().plus(lease), row.replays());
        }));
        return new Renewed(lost, Set.of());
    }

    @Override
    public void countReplays(Map<Ticket, Long> more) {
        more.forEach((ticket, count) -> table.rows.computeIfPresent(
                ticket.address(),
                (at, row) -> row.fence().equals(ticket.fence()) ? row.with(row.lease(), row.replays() + count) : row));
    }

    /** A row whose document nobody can read. */
    static Row damaged(Row row) {
        return new Row(
                row.at(),
                row.version(),
                row.fence(),
                row.state(),
                row.claimed(),
                row.lease(),
                row.settled(),
                row.expires(),
                row.replays(),
                new byte[] {'{'},
                row.body());
    }

    /** A row with other values for what stores set themselves. */
    protected static Row with(Row row, long version, Fence fence, @Nullable State state, Moment lease, long replays) {
        return new Row(
                row.at(),
                version,
                fence,
                state,
                row.claimed(),
                lease,
                row.settled(),
                row.expires(),
                replays,
                row.document(),
                row.body());
    }

    @Override
    public Rows scan(Query query, Set<State> stored, long from, int limit) {
        Moment now = clocks.now();
        Comparator<Row> oldestFirst = Comparator.comparing(Row::fence);
        List<Row> rows = table.rows.values().stream()
                .filter(row -> row.state() != null
                        && stored.contains(row.state())
                        && query.isBehind(row.fence().number(), from))
                .sorted(query.oldestFirst() ? oldestFirst : oldestFirst.reversed())
                .limit(limit)
                .toList();
        return new Rows(rows, now);
    }

    @Override
    public Walkable.Batch due(@Nullable String place, int limit) {
        Moment now = clocks.now();
        long after = place == null ? 0 : Long.parseLong(place);
        List<Row> rows = table.rows.values().stream()
                .filter(row -> row.fence().number() > after && isDue(row, now))
                .sorted(Comparator.comparing(Row::fence))
                .limit(limit)
                .toList();
        return new Walkable.Batch(
                rows,
                now,
                rows.size() < limit ? null : rows.get(limit - 1).fence().toString());
    }

    boolean isDue(Row row, Moment now) {
        Instant due = table.due.get(row.at());
        return due != null && !now.wall().isBefore(due);
    }

    @Override
    public long countDue() {
        return due(null, Integer.MAX_VALUE).rows().size();
    }

    @Override
    public int delete(List<Row> seen) {
        return (int) seen.stream().filter(this::delete).count();
    }

    boolean delete(Row seen) {
        boolean[] deleted = new boolean[1];
        table.rows.computeIfPresent(seen.at(), (at, row) -> {
            deleted[0] = row.version() == seen.version();
            return deleted[0] ? null : row;
        });
        return deleted[0];
    }

    @Override
    public Map<State, Long> counts() {
        return table.rows.values().stream()
                .filter(row -> row.state() != null)
                .collect(Collectors.groupingBy(row -> Objects.requireNonNull(row.state()), Collectors.counting()));
    }

    @Override
    public Optional<List<Counts.Group>> counts(Query query, Set<State> stored, long from) {
        Instant now = clocks.now().wall();
        return Optional.of(table.rows.values().stream()
                .filter(row -> isCounted(row, query, now)
                        && stored.contains(row.state())
                        && query.isBehind(row.fence().number(), from))
                .map(row -> new Counts.Group(
                        row.at().operation(),
                        Objects.requireNonNull(row.state()),
                        row.claimed().wall().truncatedTo(ChronoUnit.HOURS),
                        1,
                        row.replays()))
                .toList());
    }

    /** Whether a row matches a query, and has not expired. The labels of a row are in its document alone. */
    protected boolean isCounted(Row row, Query query, Instant now) {
        Instant claimed = row.claimed().wall();
        return query.matches(row.at())
                && (row.expires() == null || now.isBefore(row.expires()))
                && (query.olderThan() == null || !claimed.isAfter(now.minus(query.olderThan())))
                && (query.newerThan() == null || !claimed.isBefore(now.minus(query.newerThan())));
    }

    @Override
    public long replays() {
        return table.rows.values().stream().mapToLong(Row::replays).sum();
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        return table.watches.add(address, wake);
    }

    @Override
    public String describe() {
        return "a map of rows";
    }

    @Override
    public void close() {}
}
