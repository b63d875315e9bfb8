package dev.idem.spi.store;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.State;
import dev.idem.internal.rules.Fences;
import dev.idem.internal.rules.StateMachine;
import dev.idem.internal.rules.Step;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Clocks;
import dev.idem.spi.Fence;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Watches;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the memory of one process, gone with it. For tests, for programs whose duplicates never outlive them, and
 * as the plainest reading of the rules.
 */
public final class MemoryLedger implements Ledger, Browsable, Awaitable, GroupRenewing {
    private final ConcurrentHashMap<Address, Slot> slots = new ConcurrentHashMap<>();
    private final AtomicLong highestFence = new AtomicLong();
    private final Fences fences = () -> new Fence(highestFence.incrementAndGet());
    private final Watches watches = new Watches();
    private final StateMachine rules;
    private final Clocks clocks;
    private volatile boolean closed;

    public MemoryLedger(LedgerContext context) {
        this.rules = new StateMachine(context.processes());
        this.clocks = context.clocks();
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        Slot slot = slots.get(request.address());
        if (slot != null && slot.entry.state() == State.COMPLETE) {
            // A duplicate of a complete operation changes nothing, so it needs no lock.
            Step<Claim> step = rules.claim(slot.entry, request, clocks.now(), fences);
            if (step.answer() instanceof Claim.Replay) {
                slot.replayed();
                return step.answer();
            } else if (!step.changes()) {
                return step.answer();
            }
        }
        Moment now = clocks.now();
        Claim claim = change(request.address(), found -> rules.claim(found, request, now, fences));
        if (claim instanceof Claim.Replay) {
            // The entry was completed after the read without the lock.
            countReplay(claim.entry());
        }
        return claim;
    }

    @Override
    public void countReplay(Entry answered) {
        slots.computeIfPresent(answered.address(), (at, completed) -> completed.replayed());
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        requireOpen();
        return change(ticket.address(), found -> rules.renew(found, ticket, lease, clocks.now()));
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        Set<Ticket> lost = new HashSet<>();
        leases.forEach((ticket, lease) -> {
            if (!renew(ticket, lease)) {
                lost.add(ticket);
            }
        });
        return Unrenewed.lost(lost);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        requireOpen();
        return change(ticket.address(), found -> rules.mark(found, ticket, mark));
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        return change(ticket.address(), found -> rules.settle(found, ticket, how, clocks.now()));
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        Slot slot = slots.get(address);
        return slot == null ? Optional.empty() : Optional.ofNullable(view(slot, clocks.now()));
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        requireOpen();
        return change(address, found -> rules.resolve(found, seen, how, clocks.now(), fences));
    }

    @Override
    public boolean forget(Entry seen) {
        requireOpen();
        return change(seen.address(), found -> rules.forget(found, seen, clocks.now()));
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        return watches.add(address, wake);
    }

    @Override
    public Page browse(Query query) {
        requireOpen();
        Moment now = clocks.now();
        return Browsing.page(entries(now), query, now.wall());
    }

    @Override
    public int purge(int limit) {
        requireOpen();
        int purged = 0;
        for (Address address : slots.keySet()) {
            if (purged >= limit) {
                break;
            }
            purged += change(address, this::purgeStep);
        }
        return purged;
    }

    private Step<Integer> purgeStep(@Nullable Entry found) {
        Entry left = found == null ? null : rules.purged(found, clocks.now());
        if (found == null || (left != null && left.state() == found.state())) {
            return Step.keep(0);
        }
        return left == null ? Step.remove(1) : Step.put(1, left);
    }

    @Override
    public OptionalLong purgeable() {
        requireOpen();
        Moment now = clocks.now();
        long count = 0;
        for (Slot slot : slots.values()) {
            Entry left = rules.purged(slot.entry, now);
            count += left == null || left.state() != slot.entry.state() ? 1 : 0;
        }
        return OptionalLong.of(count);
    }

    @Override
    public Stats stats() {
        requireOpen();
        return Browsing.stats(entries(clocks.now()));
    }

    @Override
    public Counts counts(Query query) {
        requireOpen();
        Moment now = clocks.now();
        return Browsing.counts(entries(now), query, now.wall());
    }

    /** The entries as they count now. */
    private Stream<Entry> entries(Moment now) {
        return slots.values().stream()
                .map(slot -> Optional.ofNullable(view(slot, now)))
                .flatMap(Optional::stream);
    }

    @Override
    public String describe() {
        return "memory: (entries end with this process)";
    }

    @Override
    public void close() {
        closed = true;
    }

    private @Nullable Entry view(Slot slot, Moment now) {
        Entry seen = rules.asItCountsNow(slot.entry, now);
        return seen == null ? null : seen.withReplays(slot.replays.get());
    }

    /** One atomic step on one address. */
    private <A> A change(Address address, Function<@Nullable Entry, Step<A>> transition) {
        var taken = new Taken<A>();
        slots.compute(address, (at, slot) -> {
            Step<A> step = transition.apply(slot == null ? null : slot.entry);
            taken.step = step;
            if (step.remove()) {
                return null;
            }
            Entry put = step.put();
            return put == null ? slot : new Slot(put, replaysAfter(slot, put));
        });
        Step<A> step = taken.step();
        if (step.changes()) {
            watches.wake(address);
        }
        return step.answer();
    }

    /** A new entry starts with a new count. */
    private static AtomicLong replaysAfter(@Nullable Slot slot, Entry put) {
        boolean first = put.attempt() == 1 && put.state() == State.IN_PROGRESS && put.doubt() == null;
        if (slot == null || (first && slot.entry.state() != State.IN_PROGRESS)) {
            return new AtomicLong();
        }
        return slot.replays;
    }

    private void requireOpen() {
        if (closed) {
            throw new LedgerUnavailableException("the memory ledger is closed", null);
        }
    }

    private static final class Slot {
        final Entry entry;
        final AtomicLong replays;

        Slot(Entry entry, AtomicLong replays) {
            this.entry = entry;
            this.replays = replays;
        }

        Slot replayed() {
            replays.incrementAndGet();
            return this;
        }
    }

    private static final class Taken<A> {
        @Nullable
        Step<A> step;

        Step<A> step() {
            return Objects.requireNonNull(step);
        }
    }
}
