package dev.idem.spi.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.internal.rules.StateMachine;
import dev.idem.internal.rules.Step;
import dev.idem.internal.store.Change;
import dev.idem.internal.store.Drafts;
import dev.idem.internal.store.EntryFormat;
import dev.idem.internal.store.Limit;
import dev.idem.internal.store.Move;
import dev.idem.internal.store.OwnRows;
import dev.idem.internal.store.Purging;
import dev.idem.internal.store.Replays;
import dev.idem.internal.store.Stored;
import dev.idem.internal.store.Swaps;
import dev.idem.internal.store.Trail;
import dev.idem.internal.store.UnticketedWrites;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.EntryStore;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Found;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.Fence;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Joining;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Owner;
import dev.idem.spi.Processes;
import dev.idem.spi.ReplayCounting;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Searchable;
import dev.idem.spi.browse.TrailLine;
import dev.idem.spi.browse.Walkable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A ledger on an {@link EntryStore}. Every step of an entry is made in the same way:
 *
 * <ol>
 *   <li>Begin with what is known: for a claim that there is no row, for the owner its own row, else the row as it is read.
 *   <li>Ask the {@link StateMachine} what follows from the entry of the row, at the store's time.
 *   <li>If nothing is to be written, answer. An answer from a row that may have changed since is confirmed by a read.
 *   <li>Draft the new row, and write it only if the row is still the one that was judged (compare-and-set).
 *   <li>If another writer was faster, take its row and go on with 2. A lost answer is not a refusal: the row itself shows,
 *       by its version, whether it was written.
 * </ol>
 *
 * <p>A first grant, a replay, a refusal, and the owner's mark and settle are one call of the store; a grant over
 * another entry, a resolve and a forget are two. The owner's settle needs no read, since the ledger remembers the row
 * of the grant. If another owner took over, the version differs and the write is refused.
 */
public final class StoreLedger implements Ledger, GroupRenewing, Historied {
    private final EntryStore store;
    private final StateMachine rules;
    private final Drafts drafts;
    private final OwnRows own = new OwnRows();
    private final UnticketedWrites unticketed;
    private final Replays replays;
    private final @Nullable Browsable browsable;
    private volatile boolean closed;

    /**
     * A ledger on this store.
     *
     * @param processes tells whether owners and their children live; {@link Processes#unknown()} for leases alone
     */
    public StoreLedger(EntryStore store, Processes processes) {
        this(store, new StateMachine(processes), store instanceof ReplayCounting counting ? counting : null);
    }

    private StoreLedger(EntryStore store, StateMachine rules, @Nullable ReplayCounting counting) {
        this.store = store;
        this.rules = rules;
        this.drafts = new Drafts(store.keepsForgotten());
        this.unticketed = new UnticketedWrites(store);
        this.replays = new Replays(counting);
        this.browsable = browsable();
    }

    private @Nullable Browsable browsable() {
        if (store instanceof Searchable searchable) {
            return new Browser(this, searchable, new Purging(store, rules, drafts, TryCounts.deleting(searchable)));
        }
        return store instanceof Walkable walkable
                ? new Walker(this, walkable, new Purging(store, rules, drafts, (rows, now) -> delete(walkable, rows)))
                : null;
    }

    private static int delete(Walkable walkable, List<Row> rows) {
        return (int) rows.stream().filter(walkable::delete).count();
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        // Begins as if there were no row: an insert tells whether that is so.
        Found nothing = new Found(null, false, Drafts.WRITTEN);
        return Swaps.decide(store, request.address(), nothing, (row, seen, now) -> claim(row, seen, request, now));
    }

    private Move<Claim> claim(@Nullable Row row, @Nullable Stored seen, ClaimRequest request, Moment now) {
        Step<Claim> step = rules.claim(seen == null ? null : seen.entry(), request, now, () -> Drafts.NEXT);
        Entry put = step.put();
        if (row == null || seen == null || put == null) {
            return put == null
                    ? answered(Objects.requireNonNull(row), step.answer(), now)
                    : granting(
                                    drafts.first(put, request, row == null ? Trail.FIRST : pastOf(row)),
                                    Guard.VERSION_AND_LEASE)
                            .whenHeld(new Claim.InFlight(unseen(put), Duration.ZERO));
        }
        Entry before = rules.asItCountsNow(seen.entry(), now);
        if (before == null) {
            return granting(drafts.first(put, request, pastOf(row)), Guard.VERSION_AND_LEASE)
                    .whenHeld(new Claim.InFlight(unseen(put), Duration.ZERO));
        } else if (before.state() == State.COMPLETE) {
            return granting(drafts.first(put, request, pastOf(row)), Guard.VERSION_AND_LEASE)
                    .whenHeld(new Claim.InFlight(before, Duration.ZERO));
        } else if (!put.fence().equals(Drafts.NEXT)) {
            // The claimer's own grant, whose answer was lost. No other owner's lease is concerned.
            return granting(drafts.regranted(seen, request.lease()), Guard.VERSION);
        }
        return granting(drafts.again(seen, put, request, now.wall()), Guard.VERSION_AND_LEASE)
                .whenHeld(new Claim.InFlight(seen.entry(), Duration.ZERO));
    }

    /** The entry of another transaction, of which nothing is known before its commit. */
    private static Entry unseen(Entry put) {
        Tenure mine = put.tenure();
        Tenure other = new Tenure(
                mine.attemptId(),
                Owner.named("another transaction"),
                mine.lease(),
                mine.acted(),
                mine.limit(),
                mine.staged(),
                mine.marks());
        return new Entry(
                put.address(),
                put.state(),
                put.fence(),
                put.attempt(),
                put.fingerprints(),
                put.parent(),
                put.labels(),
                other,
                put.doubt(),
                put.times(),
                put.replays(),
                put.settlement());
    }

    private Move<Claim> granting(Change change, Guard guard) {
        return Move.write(change.draft(), guard, row -> {
            Stored granted = change.in(row);
            own.remember(row, granted);
            return new Claim.Granted(granted.entry());
        });
    }

    private Move<Claim> answered(Row row, Claim answer, Moment now) {
        if (answer instanceof Claim.Replay replay) {
            replays.count(replay.entry().ticket(), now.wall());
        }
        return restsOnADeadProcess(row, answer.entry(), now) ? Move.confirm(answer) : Move.keep(answer);
    }

    /**
     * Whether an entry counts as ended only because its process is dead. The process may have settled and exited after
     * the row was read, so its death is proof only if the row is unchanged in a second read.
     */
    private static boolean restsOnADeadProcess(Row row, Entry judged, Moment now) {
        return row.state() == State.IN_PROGRESS && judged.state() != State.IN_PROGRESS && now.isBefore(row.lease());
    }

    /** The trail of the previous entry. */
    private static Trail pastOf(Row row) {
        return new Trail(EntryFormat.trail(row), Trail.FIRST.began(), null);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        Unrenewed unrenewed = renewAll(Map.of(ticket, lease));
        if (!unrenewed.unanswered().isEmpty()) {
            throw new LedgerUnavailableException(
                    store.describe() + " did not renew " + ticket.address() + ": its row is locked", null);
        }
        return unrenewed.lost().isEmpty();
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        requireOpen();
        EntryStore.Renewed renewed = store.renew(leases);
        renewed.lost().forEach(own::drop);
        return new Unrenewed(renewed.lost(), renewed.unanswered());
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        requireOpen();
        OwnRows.Own remembered = own.of(ticket);
        Found start = remembered == null
                ? store.read(ticket.address())
                : new Found(remembered.row(), false, Moment.ofWall(remembered.now()));
        Stored known = remembered == null ? null : remembered.seen();
        return Swaps.decide(store, ticket.address(), start, known, (row, seen, now) -> {
            Step<Boolean> step = rules.mark(seen == null ? null : seen.entry(), ticket, mark);
            Entry put = step.put();
            if (seen == null || put == null) {
                return Move.keep(step.answer());
            }
            Trail trail = seen.trail().marked(seen.entry(), mark, now.wall());
            Change change = drafts.marked(new Stored(put, seen.limit(), trail));
            return Move.write(change.draft(), Guard.VERSION, written -> {
                own.remember(written, change.in(written));
                return true;
            });
        });
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        Settled settled = settle(store, ticket, how);
        own.drop(ticket);
        return settled;
    }

    /** Settles through this store. Inside a transaction, the row of the grant stays remembered until the commit. */
    Settled settle(EntryStore through, Ticket ticket, Settlement how) {
        OwnRows.Own remembered = own.of(ticket);
        // An owner settles its own row without knowing the time: the store sets the time when it writes.
        Found start = remembered == null
                ? through.read(ticket.address())
                : new Found(remembered.row(), false, Drafts.WRITTEN);
        Stored known = remembered == null ? null : remembered.seen();
        return Swaps.decide(through, ticket.address(), start, known, (row, seen, now) -> {
            Step<Settled> step = rules.settle(seen == null ? null : seen.entry(), ticket, how, now);
            Entry put = step.put();
            if (seen == null || put == null) {
                if (row != null && step.answer() instanceof Settled.Already) {
                    through.confirm(row);
                }
                return Move.keep(step.answer());
            }
            Limit limit = Drafts.limitAfter(seen, put, now);
            Trail trail = seen.trail().settled(seen.entry(), put.state());
            Change change = drafts.settled(new Stored(put, limit, trail), false, now);
            return Move.write(
                    change.draft(),
                    Guard.VERSION,
                    written -> new Settled.Recorded(change.in(written).entry()));
        });
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        return Swaps.decide(store, address, store.read(address), (row, seen, now) -> {
            Entry entry = row == null || seen == null ? null : viewed(seen.entry(), now);
            Optional<Entry> answer = Optional.ofNullable(entry);
            return row != null && entry != null && restsOnADeadProcess(row, entry, now)
                    ? Move.confirm(answer)
                    : Move.keep(answer);
        });
    }

    /** A row as it counts now; null when it was forgotten or has expired. */
    @Nullable
    Entry viewed(Row row, Moment now) {
        return row.state() == null ? null : viewed(EntryFormat.read(row).entry(), now);
    }

    /** An entry as it counts now, including replays that are not written yet; null when it has expired. */
    @Nullable
    Entry viewed(Entry stored, Moment now) {
        Entry entry = rules.asItCountsNow(stored, now);
        return entry == null ? null : entry.withReplays(entry.replays() + replays.uncounted(entry.ticket()));
    }

    @Override
    public boolean resolve(Address address, Fence seenFence, Settlement how) {
        requireOpen();
        return unticketed.decide(address, List.of(address, seenFence, how), (row, seen, now) -> {
            Entry entry = seen == null ? null : seen.entry();
            Entry put =
                    rules.resolve(entry, seenFence, how, now, () -> Drafts.NEXT).put();
            if (seen == null || entry == null || put == null) {
                return Move.keep(false);
            }
            Entry view = rules.asItCountsNow(entry, now);
            Trail trail = seen.trail().resolved(entry, view == null ? null : view.doubt(), now.wall(), put.state());
            Stored resolved = new Stored(put, Drafts.limitAfter(seen, put, now), trail);
            Draft draft = drafts.settled(resolved, true, Drafts.WRITTEN).draft();
            return Move.write(draft, Guard.VERSION_AND_LEASE, written -> true);
        });
    }

    @Override
    public boolean forget(Entry looked) {
        requireOpen();
        Address address = looked.address();
        return unticketed.decide(address, looked.ticket(), (row, seen, now) -> {
            if (seen == null || !rules.forget(seen.entry(), looked, now).remove()) {
                return Move.keep(false);
            }
            Draft stub = drafts.stub(seen.trail().forgotten(seen.entry(), now.wall()));
            return Move.write(stub, Guard.VERSION_AND_LEASE, written -> true);
        });
    }

    @Override
    public List<TrailLine> trail(Address address) {
        requireOpen();
        Row row = store.read(address).row();
        return row == null ? List.of() : EntryFormat.trail(row);
    }

    @Override
    public <C> Optional<C> as(Class<C> capability) {
        Object found = this;
        if (capability == Browsable.class) {
            found = browsable;
        } else if (capability == Awaitable.class) {
            found = store instanceof Awaitable ? store : null;
        } else if (capability == Transactional.class) {
            found = store instanceof Joining<?> joining ? new Transactions<>(this, joining) : null;
        }
        return capability.isInstance(found) ? Optional.of(capability.cast(found)) : Optional.empty();
    }

    /**
     * This ledger inside a transaction, on the store of that transaction. It writes no count of replays: that would keep the
     * entry locked until the transaction ends.
     */
    StoreLedger within(EntryStore joined) {
        requireOpen();
        return new StoreLedger(joined, rules, null);
    }

    /** The replay counts that are only in memory. */
    Replays replays() {
        return replays;
    }

    /** Drops the remembered row of this ticket. */
    void drop(Ticket ticket) {
        own.drop(ticket);
    }

    @Override
    public int largestResult() {
        return store.largestBody();
    }

    @Override
    public String describe() {
        return store.describe();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                replays.flush();
            } finally {
                store.close();
            }
        }
    }

    void requireOpen() {
        if (closed) {
            throw new LedgerUnavailableException(store.describe() + " is closed", null);
        }
    }
}
