package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.State;
import dev.idem.jsonl.line.BodyText;
import dev.idem.jsonl.line.NewRow;
import dev.idem.jsonl.line.Slot;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Clocks;
import dev.idem.spi.EntryStore;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Moment;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.Walkable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows in a readable JSON Lines file, for the threads of one process at a time. A write appends one line, and is
 * answered when it is on the disk.
 */
final class JsonlStore implements EntryStore, Searchable, ReplayCounting, Awaitable {
    private final OpenFiles.Use use;
    private final Clocks clocks;
    private final String name;

    JsonlStore(OpenFiles.Use use, Clocks clocks) {
        this.use = use;
        this.clocks = clocks;
        this.name = "jsonl:" + use.file().options().path() + " (for this process alone)";
    }

    static JsonlStore open(JsonlOptions options, LedgerContext context) {
        Supplier<Instant> clock = () -> context.clocks().now().wall();
        OpenFiles.Use use = context.readOnly() ? OpenFiles.looking(options, clock) : OpenFiles.of(options, clock.get());
        return new JsonlStore(use, context.clocks());
    }

    LedgerFile file() {
        return use.file();
    }

    @Override
    public Found insert(Address at, Draft first) {
        // This read answers most duplicates and waits for no writer.
        Found found = read(at);
        if (found.row() != null) {
            return found;
        }
        BodyText body = BodyText.of(first.body());
        Optional<Row> inserted = submit(batch -> batch.find(at) != null
                ? Optional.empty()
                : Optional.of(put(batch, NewRow.of(at, null, first, clocks.now(), batch::nextFence), body)));
        return inserted.isEmpty() ? read(at) : new Found(inserted.get(), true, found.now());
    }

    @Override
    public Found read(Address at) {
        Moment now = clocks.now();
        return new Found(file().read(at), false, now);
    }

    @Override
    public Swap replace(Row seen, Draft next, Guard guard) {
        BodyText body = BodyText.of(next.body());
        return submit(batch -> {
            Slot slot = batch.find(seen.at());
            if (slot == null || slot.version() != seen.version()) {
                return new Swap.Changed();
            }
            // Without a lease in the slot, the lease of this version counts, which the caller has seen.
            Moment lease = slot.lease() == null ? seen.lease() : slot.lease();
            if (guard == Guard.VERSION_AND_LEASE && !lease.equals(seen.lease())) {
                return new Swap.Changed();
            }
            Row now = seen.with(lease, slot.replays());
            return new Swap.Written(put(batch, NewRow.of(seen.at(), now, next, clocks.now(), batch::nextFence), body));
        });
    }

    private static Row put(WriteBatch batch, NewRow next, BodyText body) {
        batch.put(next, body);
        return next.row();
    }

    private <A> A submit(Request.Work<A> work) {
        return file().commits().submit(work);
    }

    @Override
    public Renewed renew(Map<Ticket, Duration> leases) {
        return submit(batch -> {
            Set<Ticket> lost = new HashSet<>();
            leases.forEach((ticket, lease) -> {
                Slot slot = current(batch, ticket);
                if (slot != null && slot.state() == State.IN_PROGRESS) {
                    batch.renew(ticket.address(), slot, clocks.now().plus(lease));
                } else {
                    lost.add(ticket);
                }
            });
            return new Renewed(lost, Set.of());
        });
    }

    @Override
    public void countReplays(Map<Ticket, Long> more) {
        submit(batch -> {
            more.forEach((ticket, count) -> {
                Slot slot = current(batch, ticket);
                if (slot != null) {
                    batch.countReplays(ticket.address(), slot, slot.replays() + count);
                }
            });
            return true;
        });
    }

    /** The slot of a row that still has the fence of a ticket. */
    private static @Nullable Slot current(WriteBatch batch, Ticket ticket) {
        Slot slot = batch.find(ticket.address());
        return slot != null && slot.fence() == ticket.fence().number() ? slot : null;
    }

    @Override
    public int delete(List<Row> seen) {
        return submit(batch -> {
            int deleted = 0;
            for (Row row : seen) {
                Slot slot = batch.find(row.at());
                if (slot != null && slot.version() == row.version()) {
                    batch.remove(row.at(), slot);
                    deleted++;
                }
            }
            return deleted;
        });
    }

    @Override
    public Rows scan(Query query, Set<State> stored, long begin, int limit) {
        Moment now = clocks.now();
        LedgerFile file = file();
        return file.reading(from -> {
            List<Row> rows = new ArrayList<>();
            Index index = from.index();
            Map<Long, Address> behind = query.oldestFirst() ? index.above(begin) : index.below(begin);
            for (Map.Entry<Long, Address> each : behind.entrySet()) {
                Address at = each.getValue();
                Slot slot = index.find(at);
                if (slot != null
                        && slot.fence() == each.getKey()
                        && slot.state() != null
                        && stored.contains(slot.state())
                        && query.matches(at)) {
                    rows.add(file.load(from, at, slot));
                }
                if (rows.size() == limit) {
                    break;
                }
            }
            return new Rows(rows, now);
        });
    }

    @Override
    public Walkable.Batch due(@Nullable String place, int limit) {
        Moment now = clocks.now();
        long below = place == null ? Long.MAX_VALUE : Long.parseLong(place);
        LedgerFile file = file();
        return file.reading(from -> {
            List<Row> rows = new ArrayList<>();
            for (Map.Entry<Long, Address> each : from.index().below(below).entrySet()) {
                Address at = each.getValue();
                Slot slot = from.index().find(at);
                if (slot != null && slot.fence() == each.getKey() && slot.isDue(now.wall())) {
                    rows.add(file.load(from, at, slot));
                }
                if (rows.size() == limit) {
                    return new Walkable.Batch(rows, now, each.getKey().toString());
                }
            }
            return new Walkable.Batch(rows, now, null);
        });
    }

    @Override
    public long countDue() {
        Instant now = clocks.now().wall();
        return file().reading(from -> from.index().slots().values().stream()
                .filter(slot -> slot.isDue(now))
                .count());
    }

    @Override
    public Map<State, Long> counts() {
        return file().reading(from -> {
            Map<State, Long> counts = new EnumMap<>(State.class);
            for (Slot slot : from.index().slots().values()) {
                if (slot.state() != null) {
                    counts.merge(slot.state(), 1L, Long::sum);
                }
            }
            return counts;
        });
    }

    @Override
    public long replays() {
        return file().reading(from ->
                from.index().slots().values().stream().mapToLong(Slot::replays).sum());
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        return file().watches().add(address, wake);
    }

    /** Limits the memory for a line: a larger body in base64, copied once or twice, would take too much. */
    @Override
    public int largestBody() {
        return 128 * 1024 * 1024;
    }

    @Override
    public String describe() {
        return name;
    }

    @Override
    public void close() {
        use.end();
    }
}
