package dev.idem.spi;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.time.Duration;
import java.util.Optional;

/**
 * Where entries live. Every method is one atomic step on one address, safe to call from any thread, and answers with a
 * value; {@link StateMachine} says what each answer must be.
 *
 * <p>Durations go in, never instants: a networked ledger judges them by its server's clock.
 *
 * <p>Every method throws {@link LedgerUnavailableException} when there is no answer (the step may have been taken; ask
 * again with the same attempt id or ticket) and {@link LedgerUnreadableException} when the ledger can't be used as it
 * is. Neither ever stands for "not seen".
 */
public interface Ledger extends AutoCloseable {
    /** Takes the key, or says who has it. Sent again with the same attempt id, it answers the same. */
    Claim claim(ClaimRequest request);

    /** Prolongs the lease, counted from now. False: the ticket is no longer the current one, or was settled. */
    boolean renew(Ticket ticket, Duration lease);

    /** Adds a durable mark to a staged entry. False: the ticket is not the current one, and the action must stop. */
    boolean mark(Ticket ticket, Mark mark);

    /** Ends an attempt. Sent again, it answers {@link Settled.Already}. */
    Settled settle(Ticket ticket, Settlement how);

    /** The entry as a claim would judge it now: a lapsed lease shows as in doubt, an expired entry not at all. */
    Optional<Entry> find(Address address);

    /**
     * Settles an entry by a person's word. Refused (false) while a ticket lives, when the entry is absent or complete,
     * or when its fence is not the one that was seen. Raises the fence.
     */
    boolean resolve(Address address, Fence seen, Settlement how);

    /**
     * Removes an entry. Refused (false) while a ticket lives, when the entry is absent, when its fence is not the one
     * that was seen, when it has become complete since, or in doubt where it was seen as failed. The next grant for the
     * address still gets a higher fence.
     *
     * @param seen the entry as it was looked at; only its address, its fence and its state are used
     */
    boolean forget(Entry seen);

    /**
     * This ledger as one that has an optional capability: {@link Browsable}, {@link Awaitable}, {@link Historied} or
     * {@link GroupRenewing}. Empty: it lacks it. A decorating ledger passes the question on.
     */
    default <C> Optional<C> as(Class<C> capability) {
        return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
    }

    /** The bytes of the largest result that it can store. A larger one is recorded as complete without a result. */
    default int largestResult() {
        return 512 * 1024 * 1024;
    }

    /** Where this ledger is and how it is set, for people and logs; without secrets. */
    String describe();

    @Override
    void close();
}
