package dev.idem.testkit.broken;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
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
import dev.idem.spi.ResolvedBy;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import dev.idem.spi.browse.TrailLine;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A healthy ledger with every capability, made of the rules and one lock, whose every decision can be overridden. The
 * broken ledgers override one each.
 */
public class PlainLedger implements Ledger, Browsable, Awaitable, Historied, GroupRenewing {
    private final PlainStore store;
    private final StateMachine rules;
    private final Clocks clocks;
    private volatile boolean closed;

    /** A handle on a store, which outlives it. */
    public PlainLedger(PlainStore store, LedgerContext context) {
        this.store = store;
        this.rules = new StateMachine(context.processes());
        this.clocks = context.clocks();
    }

    /** The rules as they should be. */
    protected final StateMachine rules() {
        return rules;
    }

    /** The store behind the handle. */
    protected final PlainStore store() {
        return store;
    }

    /** The times of the clocks that it was opened with. */
    protected final Moment now() {
        return clocks.now();
    }

    /** The fence of the next grant. */
    protected Fence nextFence(Address address) {
        return store.nextFence();
    }

    /** Decides a claim. */
    protected Step<Claim> claim(@Nullable Entry found, ClaimRequest request, Moment now) {
        return rules.claim(found, request, now, () -> nextFence(request.address()));
    }

    /** Decides a heartbeat. */
    protected Step<Boolean> renew(@Nullable Entry found, Ticket ticket, Duration lease, Moment now) {
        return rules.renew(found, ticket, lease, now);
    }

    /** Decides a mark. */
    protected Step<Boolean> mark(@Nullable Entry found, Ticket ticket, Mark mark) {
        return rules.mark(found, ticket, mark);
    }

    /** Decides a settle. */
    protected Step<Settled> settle(@Nullable Entry found, Ticket ticket, Settlement how, Moment now) {
        return rules.settle(found, ticket, how, now);
    }

    /** Decides a forget. */
    protected Step<Boolean> forget(@Nullable Entry found, Entry seen, Moment now) {
        return rules.forget(found, seen, now);
    }

    /** The effective entry, or null for none. */
    protected @Nullable Entry view(Entry entry, Moment now) {
        return rules.asItCountsNow(entry, now);
    }

    /** The part of an entry that a purge leaves, or null for none. */
    protected @Nullable Entry purged(Entry entry, Moment now) {
        return rules.purged(entry, now);
    }

    /** One atomic step. */
    protected <A> A step(Address address, String event, Function<@Nullable Entry, Step<A>> decision) {
        if (closed) {
            throw new LedgerUnavailableException("the plain ledger is closed", null);
        }
        Step<A> step;
        store.lock().lock();
        try {
            Entry found = store.get(address);
            step = decision.apply(found);
            write(address, step);
            note(address, event, found, step);
        } finally {
            store.lock().unlock();
        }
        if (step.changes()) {
            store.wake(address);
        }
        return step.answer();
    }

    /** Writes what a step changes. */
    protected void write(Address address, Step<?> step) {
        if (step.remove()) {
            store.remove(address);
        } else if (step.put() != null) {
            store.put(address, step.put());
        }
    }

    private void note(Address address, String event, @Nullable Entry found, Step<?> step) {
        Entry after = step.put() != null ? step.put() : found;
        boolean granted = found == null || (after != null && !after.fence().equals(found.fence()));
        if (!step.changes() || after == null || event.isEmpty() || (event.equals("granted") && !granted)) {
            return;
        }
        String told = switch (event) {
            case "granted" -> after.probing() ? "probing" : after.doubt() != null ? "rerun" : "granted";
            case "settled" -> after.state().word();
            default -> event;
        };
        String detail = event.equals("resolved") && after.note() != null
                ? "as " + after.state().word() + ", " + after.note()
                : after.tenure().owner().name();
        // Only the decision itself has it: the line about a forget would say that it was made twice.
        ResolvedBy decided = event.equals("resolved") ? after.resolution() : null;
        store.note(address, new TrailLine(now().wall(), after.fence(), told, detail, decided));
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return step(request.address(), "granted", found -> {
            Step<Claim> step = claim(found, request, now());
            return found != null && step.answer() instanceof Claim.Replay && !step.changes()
                    ? Step.put(step.answer(), found.withReplays(found.replays() + 1))
                    : step;
        });
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return step(ticket.address(), "", found -> renew(found, ticket, lease, now()));
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
        return step(ticket.address(), "marked", found -> mark(found, ticket, mark));
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return step(ticket.address(), "settled", found -> settle(found, ticket, how, now()));
    }

    @Override
    public Optional<Entry> find(Address address) {
        return step(address, "", found -> Step.keep(found == null ? Optional.empty() : seen(found)));
    }

    private Optional<Entry> seen(Entry entry) {
        return Optional.ofNullable(view(entry, now()));
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return step(address, "resolved", found -> rules.resolve(found, seen, how, now(), () -> nextFence(address)));
    }

    @Override
    public boolean forget(Entry seen) {
        return step(seen.address(), "forgotten", found -> forget(found, seen, now()));
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        Runnable end = store.watch(address, wake);
        return end::run;
    }

    @Override
    public List<TrailLine> trail(Address address) {
        return store.trail(address);
    }

    @Override
    public Page browse(Query query) {
        return Listing.page(store.all().stream().map(this::seen).flatMap(Optional::stream), query, now().wall());
    }

    @Override
    public Stats stats() {
        return Listing.stats(store.all().stream().map(this::seen).flatMap(Optional::stream));
    }

    @Override
    public int purge(int limit) {
        int purged = 0;
        for (Entry entry : store.all()) {
            purged += purged < limit ? step(entry.address(), "", this::purge) : 0;
        }
        return purged;
    }

    private Step<Integer> purge(@Nullable Entry found) {
        Entry left = found == null ? null : purged(found, now());
        if (found == null || (left != null && left.state() == found.state())) {
            return Step.keep(0);
        }
        return left == null ? Step.remove(1) : Step.put(1, left);
    }

    @Override
    public String describe() {
        return getClass().getSimpleName();
    }

    @Override
    public void close() {
        closed = true;
    }
}
