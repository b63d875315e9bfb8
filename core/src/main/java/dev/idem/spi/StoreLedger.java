package dev.idem.spi;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.GroupRenewing;
import dev.idem.ledger.Historied;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Processes;
import dev.idem.ledger.Settled;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Step;
import dev.idem.ledger.TrailLine;
import dev.idem.ledger.Transactional;
import dev.idem.spi.EntryStore.Draft;
import dev.idem.spi.EntryStore.Found;
import dev.idem.spi.EntryStore.Guard;
import dev.idem.spi.EntryStore.Row;
import dev.idem.spi.EntryStore.Swap;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A ledger on an {@link EntryStore}: reads a row, asks {@link StateMachine} what follows, and writes the answer if the row
 * is still the same. When somebody else was faster it reads again.
 *
 * <p>A first grant, a replay, a refusal, and the owner's mark and settle are one call of the store; a grant over another
 * entry, a resolve and a forget are two. The owner's settle needs no read, since the ledger remembers the row of the
 * grant: it is still the same unless somebody took over, and then the version tells.
 */
public final class StoreLedger implements Ledger, GroupRenewing, Historied {
    private static final int MOST_TURNS = 100;

    private final EntryStore store;
    private final StateMachine rules;
    private final Drafts drafts;
    private final OwnRows own = new OwnRows();
    private final Replays replays;
    private volatile boolean closed;

    /**
     * A ledger on this store.
     *
     * @param processes tells whether owners and their children live; {@link Processes#unknown()} for leases alone
     */
    public StoreLedger(EntryStore store, Processes processes) {
        this.store = store;
        this.rules = new StateMachine(processes);
        this.drafts = new Drafts(store.keepsForgotten());
        this.replays = new Replays(store instanceof ReplayCounting counting ? counting : null);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        Found found = insert(request, Trail.FIRST);
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            Row row = found.row();
            if (row == null) {
                found = insert(request, Trail.FIRST);
                continue;
            }
            if (found.inserted()) {
                return granted(row);
            }
            Claim answer = claimOver(row, request, found.now());
            if (answer != null) {
                return answer;
            }
            found = store.read(request.address());
        }
        throw changing(request.address());
    }

    private Found insert(ClaimRequest request, Trail trail) {
        Entry first = granting(null, request, Drafts.WRITTEN);
        return store.insert(request.address(), drafts.first(first, request, trail));
    }

    /** The entry that the rules grant; the caller knows that they do. */
    private Entry granting(@Nullable Entry found, ClaimRequest request, Moment now) {
        return rules.claim(found, request, now, () -> Drafts.NEXT).answer().entry();
    }

    /** Decides about a row that was found; null when it has changed since. */
    private @Nullable Claim claimOver(Row row, ClaimRequest request, Moment now) {
        Stored seen = row.state() == null ? null : EntryFormat.read(row);
        Entry entry = seen == null ? null : seen.entry();
        Step<Claim> step = rules.claim(entry, request, now, () -> Drafts.NEXT);
        Entry put = step.put();
        if (put == null) {
            return unchangedSince(row, step.answer().entry(), now) ? answered(step.answer()) : null;
        }
        Guard guard = Guard.VERSION_AND_LEASE;
        Draft draft;
        if (seen == null || rules.view(seen.entry(), now) == null) {
            draft = drafts.first(put, request, pastOf(row));
        } else if (put.fence().equals(Drafts.NEXT)) {
            draft = drafts.again(seen, put, request, now.wall());
        } else {
            // It is the claimer's own row: nobody else's lease is at stake.
            draft = drafts.regranted(seen, request.lease());
            guard = Guard.VERSION;
        }
        Swap swap = store.replace(row, draft, guard);
        if (swap instanceof Swap.Held) {
            return new Claim.InFlight(seen == null ? step.answer().entry() : seen.entry(), Duration.ZERO);
        }
        return swap instanceof Swap.Written written ? granted(written.row()) : null;
    }

    /** What is told of the entry that was here before. */
    private static Trail pastOf(Row row) {
        Trail before = EntryFormat.trail(row);
        List<TrailLine> past = row.state() == null
                ? before.past()
                : before.lines(EntryFormat.read(row).entry());
        return new Trail(past, Trail.FIRST.began(), null);
    }

    private Claim granted(Row row) {
        own.remember(row);
        return new Claim.Granted(EntryFormat.read(row).entry());
    }

    private Claim answered(Claim answer) {
        if (answer instanceof Claim.Replay replay) {
            replays.count(replay.entry().ticket());
        }
        return answer;
    }

    /**
     * Whether an answer stands that may rest on a process found dead. Since the row was read, its owner may have settled
     * and ended: that it is dead proves something only if the row is still the same afterwards.
     */
    private boolean unchangedSince(Row row, Entry judged, Moment now) {
        boolean byDeath =
                row.state() == State.IN_PROGRESS && judged.state() != State.IN_PROGRESS && now.isBefore(row.lease());
        if (!byDeath) {
            return true;
        }
        Row second = store.read(row.at()).row();
        return second != null && second.version() == row.version();
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
        Row row = remembered == null ? null : remembered.row();
        Instant now = remembered == null ? Instant.EPOCH : remembered.now();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            if (row == null) {
                Found found = store.read(ticket.address());
                row = found.row();
                now = found.now().wall();
            }
            Stored seen = row == null || row.state() == null ? null : EntryFormat.read(row);
            Step<Boolean> step = rules.mark(seen == null ? null : seen.entry(), ticket, mark);
            Entry put = step.put();
            if (row == null || seen == null || put == null) {
                return step.answer();
            }
            Trail trail = seen.trail().marked(seen.entry(), mark, now);
            Swap swap = store.replace(row, drafts.marked(new Stored(put, seen.limit(), trail)), Guard.VERSION);
            if (swap instanceof Swap.Written written) {
                own.remember(written.row());
                return true;
            }
            requireNotHeld(swap, ticket.address());
            row = null;
        }
        throw changing(ticket.address());
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        Settled settled = settle(store, ticket, how);
        own.drop(ticket);
        return settled;
    }

    /** Settles through this store, which may be one inside a transaction: then nothing is forgotten before its commit. */
    Settled settle(EntryStore through, Ticket ticket, Settlement how) {
        OwnRows.Own remembered = own.of(ticket);
        Row row = remembered == null ? null : remembered.row();
        // The rules need no time to settle the row of one's own grant: the store sets it when it writes.
        Moment now = Drafts.WRITTEN;
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            if (row == null) {
                Found found = through.read(ticket.address());
                row = found.row();
                now = found.now();
            }
            Stored seen = row == null || row.state() == null ? null : EntryFormat.read(row);
            Step<Settled> step = rules.settle(seen == null ? null : seen.entry(), ticket, how, now);
            Entry put = step.put();
            if (row == null || seen == null || put == null) {
                if (row != null && step.answer() instanceof Settled.Already) {
                    through.confirm(row);
                }
                return step.answer();
            }
            Stored ended = new Stored(
                    put, Drafts.limitAfter(seen, put, now), seen.trail().settled(seen.entry(), put.state()));
            Swap swap = through.replace(row, drafts.settled(ended, false, now), Guard.VERSION);
            if (swap instanceof Swap.Written written) {
                return new Settled.Recorded(EntryFormat.read(written.row()).entry());
            }
            requireNotHeld(swap, ticket.address());
            row = null;
        }
        throw changing(ticket.address());
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            Found found = store.read(address);
            Row row = found.row();
            Entry entry = row == null || row.state() == null ? null : viewed(row, found.now());
            if (row == null || entry == null || unchangedSince(row, entry, found.now())) {
                return Optional.ofNullable(entry);
            }
        }
        throw changing(address);
    }

    /** A row as it counts now, with the replays that were not written down yet; null when it has expired. */
    @Nullable
    Entry viewed(Row row, Moment now) {
        Entry entry = rules.view(EntryFormat.read(row).entry(), now);
        return entry == null ? null : entry.withReplays(entry.replays() + replays.uncounted(entry.ticket()));
    }

    @Override
    public boolean resolve(Address address, Fence seenFence, Settlement how) {
        requireOpen();
        return change(address, (row, seen, now) -> {
            Step<Boolean> step = rules.resolve(seen.entry(), seenFence, how, now, () -> Drafts.NEXT);
            Entry put = step.put();
            if (put == null) {
                return null;
            }
            Entry view = rules.view(seen.entry(), now);
            Trail trail = seen.trail().resolved(seen.entry(), view == null ? null : view.doubt(), now.wall());
            return drafts.settled(new Stored(put, Drafts.limitAfter(seen, put, now), trail), true, Drafts.WRITTEN);
        });
    }

    @Override
    public boolean forget(Entry looked) {
        requireOpen();
        return change(looked.address(), (row, seen, now) -> {
            Entry view = rules.view(seen.entry(), now);
            if (view == null || !rules.forget(seen.entry(), looked, now).remove()) {
                return null;
            }
            // A lapse that nobody has written down is told first, as the state that was forgotten.
            return drafts.stub(seen.entry(), seen.trail().forgotten(seen.entry(), now.wall()));
        });
    }

    private interface Change {
        /** The row to write, or null to refuse. */
        @Nullable
        Draft of(Row row, Stored seen, Moment now);
    }

    /** A change that everybody may ask for, refused while a ticket lives. */
    private boolean change(Address address, Change change) {
        for (int turn = 0; turn < MOST_TURNS; turn++) {
            Found found = store.read(address);
            Row row = found.row();
            if (row == null || row.state() == null) {
                return false;
            }
            Draft draft = change.of(row, EntryFormat.read(row), found.now());
            if (draft == null) {
                return false;
            }
            Swap swap = store.replace(row, draft, Guard.VERSION_AND_LEASE);
            if (swap instanceof Swap.Written) {
                return true;
            }
            requireNotHeld(swap, address);
        }
        throw changing(address);
    }

    @Override
    public List<TrailLine> trail(Address address) {
        requireOpen();
        Row row = store.read(address).row();
        if (row == null) {
            return List.of();
        }
        Trail trail = EntryFormat.trail(row);
        return row.state() == null
                ? trail.past()
                : trail.lines(EntryFormat.read(row).entry());
    }

    @Override
    public <C> Optional<C> as(Class<C> capability) {
        Object found = this;
        if (capability == Browsable.class) {
            found = store instanceof Searchable searchable ? new Browser(this, searchable, store, rules, drafts) : null;
        } else if (capability == Awaitable.class) {
            found = store instanceof Awaitable ? store : null;
        } else if (capability == Transactional.class) {
            found = store instanceof Joining<?> joining ? new Transactions<>(this, joining) : null;
        }
        return capability.isInstance(found) ? Optional.of(capability.cast(found)) : Optional.empty();
    }

    /** Writes down the replays that were only counted here. */
    void writeReplays() {
        replays.flush();
    }

    /** Nothing is known of the row under this ticket any more. */
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
            replays.close();
            store.close();
        }
    }

    private static void requireNotHeld(Swap swap, Address address) {
        if (swap instanceof Swap.Held) {
            throw new LedgerUnavailableException("the row of " + address + " is held by another transaction", null);
        }
    }

    private static LedgerUnavailableException changing(Address address) {
        return new LedgerUnavailableException("the entry " + address + " changes faster than it can be judged", null);
    }

    void requireOpen() {
        if (closed) {
            throw new LedgerUnavailableException(store.describe() + " is closed", null);
        }
    }
}
