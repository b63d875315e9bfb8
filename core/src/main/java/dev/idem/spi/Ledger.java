package dev.idem.spi;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.time.Duration;
import java.util.Optional;

/**
 * A store of entries that follows the rules of the state machine (docs/how-it-works.md). Every method is one atomic step on one address,
 * safe to call from any thread, and answers with a value.
 *
 * <p>Callers pass durations, never instants: a networked ledger uses its server's clock.
 *
 * <p>Every method throws {@link LedgerUnavailableException} when there is no answer (the step may have been made; retry
 * with the same attempt id or ticket) and {@link LedgerUnreadableException} when the ledger or the entry can't be read.
 * Neither means that there is no entry.
 */
public interface Ledger extends AutoCloseable {
    /** Takes the key, or returns the present entry. A retry with the same attempt id gets the same answer. */
    Claim claim(ClaimRequest request);

    /** Renews the lease, counted from now. False: the ticket is no longer current, or its attempt was settled. */
    boolean renew(Ticket ticket, Duration lease);

    /** Adds a durable mark to a staged entry. False: the ticket is not the current one, and the action must stop. */
    boolean mark(Ticket ticket, Mark mark);

    /**
     * Ends an attempt. A retry gets {@link Settled.Already}.
     *
     * @throws IllegalArgumentException if the settlement carries a {@link Settlement#resolution}: only {@link #resolve}
     *     writes a person's decision
     */
    Settled settle(Ticket ticket, Settlement how);

    /** The entry as a claim would judge it now: a lapsed lease shows as in doubt, an expired entry not at all. */
    Optional<Entry> find(Address address);

    /**
     * Settles an entry by a person's decision, and raises its fence. Refused (false) while an attempt is running, when
     * the entry is absent or complete, or when it has another fence than the seen entry.
     */
    boolean resolve(Address address, Fence seen, Settlement how);

    /**
     * Removes an entry. Refused (false) while an attempt is running, when the entry is absent, when it has another
     * fence than the seen entry, when it has become complete since, or is in doubt where it was seen as failed. The
     * next grant for the address still gets a higher fence.
     *
     * @param seen the entry that the caller looked at; only its address, its fence and its state are used
     */
    boolean forget(Entry seen);

    /**
     * This ledger as one that has an optional capability: {@link dev.idem.spi.browse.Browsable}, {@link Awaitable}, {@link dev.idem.spi.browse.Historied} or
     * {@link GroupRenewing}. Empty where the ledger lacks it. A decorator asks the ledger behind it.
     */
    default <C> Optional<C> as(Class<C> capability) {
        return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
    }

    /** The size of the largest result, in bytes. A larger one is recorded as complete without a result. */
    default int largestResult() {
        return 512 * 1024 * 1024;
    }

    /** The place and the settings of this ledger, for people and logs; without secrets. */
    String describe();

    @Override
    void close();
}
