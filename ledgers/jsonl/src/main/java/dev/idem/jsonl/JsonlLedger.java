package dev.idem.jsonl;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.ledger.Awaitable;
import dev.idem.ledger.Browsable;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Clocks;
import dev.idem.ledger.GroupRenewing;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.Page;
import dev.idem.ledger.Query;
import dev.idem.ledger.Settled;
import dev.idem.ledger.StateMachine;
import dev.idem.ledger.Stats;
import dev.idem.ledger.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Entries in a JSON Lines file that people can read, for the threads of one process at a time. What was answered has
 * been written through to the disk.
 */
public final class JsonlLedger implements Ledger, Browsable, Awaitable, GroupRenewing {
    /** How many are looked for at once, and how many are removed in one step, so that no claim waits long. */
    private static final int PURGE_LOOK = 4096;

    private static final int PURGE_BATCH = 64;

    private final OpenStores.Use use;
    private final StateMachine rules;
    private final Clocks clocks;
    private final AtomicBoolean closed = new AtomicBoolean();

    private JsonlLedger(OpenStores.Use use, LedgerContext context) {
        this.use = use;
        this.rules = new StateMachine(context.processes());
        this.clocks = context.clocks();
    }

    static JsonlLedger open(JsonlOptions options, LedgerContext context) {
        Supplier<Instant> clock = () -> context.clocks().now().wall();
        return on(
                context.readOnly() ? OpenStores.looking(options, clock) : OpenStores.of(options, clock.get()), context);
    }

    /** A ledger on a store that was opened before. */
    static JsonlLedger on(OpenStores.Use use, LedgerContext context) {
        return new JsonlLedger(use, context);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        requireOpen();
        Entry found = store().find(request.address());
        if (found != null) {
            // Most duplicates change nothing: they are answered by one read. The fence is never used: a step that
            // wants one changes the entry, and is taken again among those that write.
            Step<Claim> step = rules.claim(found, request, clocks.now(), found::fence);
            // Since it was read, whoever held it may have settled and ended: a dead owner is a proof only among those
            // that write.
            boolean unsure = step.answer() instanceof Claim.InDoubt && found.state() == State.IN_PROGRESS;
            if (!step.changes() && !unsure) {
                return counted(step.answer());
            }
        }
        return counted(store().commits().submit(batch -> claim(batch, request)));
    }

    private Claim claim(Batch batch, ClaimRequest request) {
        Entry found = batch.find(request.address());
        return batch.take(found, rules.claim(found, request, clocks.now(), batch.fences()), null);
    }

    private Claim counted(Claim claim) {
        if (claim instanceof Claim.Replay replay && store().replays().add(replay.entry())) {
            store().writeReplaysOrNot();
        }
        return claim;
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        requireOpen();
        return store().commits().submit(batch -> renew(batch, ticket, lease));
    }

    private boolean renew(Batch batch, Ticket ticket, Duration lease) {
        Entry found = batch.find(ticket.address());
        return batch.take(found, rules.renew(found, ticket, lease, clocks.now()), null);
    }

    @Override
    public Unrenewed renewAll(Map<Ticket, Duration> leases) {
        requireOpen();
        return store().commits().submit(batch -> {
            Set<Ticket> lost = new HashSet<>();
            leases.forEach((ticket, lease) -> {
                if (!renew(batch, ticket, lease)) {
                    lost.add(ticket);
                }
            });
            return Unrenewed.lost(lost);
        });
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        requireOpen();
        return store().commits().submit(batch -> {
            Entry found = batch.find(ticket.address());
            return batch.take(found, rules.mark(found, ticket, mark), null);
        });
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        requireOpen();
        ResultText ready = ready(how);
        return store().commits().submit(batch -> {
            Entry found = batch.find(ticket.address());
            return batch.take(found, rules.settle(found, ticket, how, clocks.now()), ready);
        });
    }

    @Override
    public Optional<Entry> find(Address address) {
        requireOpen();
        Entry found = store().find(address);
        return found == null ? Optional.empty() : Optional.ofNullable(rules.view(found, clocks.now()));
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        requireOpen();
        ResultText ready = ready(how);
        return store().commits().submit(batch -> {
            Entry found = batch.find(address);
            return batch.take(found, rules.resolve(found, seen, how, clocks.now(), batch.fences()), ready);
        });
    }

    @Override
    public boolean forget(Entry seen) {
        requireOpen();
        return store().commits().submit(batch -> {
            Entry found = batch.find(seen.address());
            return batch.take(found, rules.forget(found, seen, clocks.now()), null);
        });
    }

    @Override
    public Watch watch(Address address, Runnable wake) {
        requireOpen();
        return store().watches().add(address, wake);
    }

    @Override
    public Page browse(Query query) {
        requireOpen();
        return browsing().page(query, clocks.now());
    }

    @Override
    public int purge(int limit) {
        requireOpen();
        int purged = 0;
        int last = 1;
        while (last > 0 && purged < limit) {
            last = 0;
            List<Address> due = browsing().due(clocks.now(), Math.min(PURGE_LOOK, limit - purged));
            for (int from = 0; from < due.size(); from += PURGE_BATCH) {
                List<Address> some = due.subList(from, Math.min(due.size(), from + PURGE_BATCH));
                last += store().commits().submit(batch -> purge(batch, some));
            }
            purged += last;
        }
        return purged;
    }

    @Override
    public OptionalLong purgeable() {
        requireOpen();
        return OptionalLong.of(browsing().countDue(clocks.now()));
    }

    private int purge(Batch batch, List<Address> due) {
        Moment now = clocks.now();
        int purged = 0;
        for (Address address : due) {
            Entry found = batch.find(address);
            Entry left = found == null ? null : rules.purged(found, now);
            if (found == null || (left != null && left.state() == found.state())) {
                continue;
            } else if (left == null) {
                batch.remove(found, LineHead.Kind.PURGED);
            } else {
                batch.put(left, null);
            }
            purged++;
        }
        return purged;
    }

    @Override
    public Stats stats() {
        requireOpen();
        return browsing().stats(clocks.now());
    }

    /** A line with a larger one, written as base64 and copied once or twice, would take too much memory. */
    @Override
    public int largestResult() {
        return 128 * 1024 * 1024;
    }

    @Override
    public String describe() {
        return "jsonl:" + store().options().path() + " (for this process alone)";
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            use.end();
        }
    }

    Store store() {
        return use.store();
    }

    private Browsing browsing() {
        return new Browsing(store(), rules);
    }

    private static @Nullable ResultText ready(Settlement how) {
        return how instanceof Settlement.Completed completed ? ResultText.of(completed.result()) : null;
    }

    private void requireOpen() {
        if (closed.get()) {
            throw store().errors().closed(null);
        }
        store().requireUsable();
    }
}
