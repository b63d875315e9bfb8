package dev.idem.request;

import dev.idem.entry.Address;
import dev.idem.entry.Effect;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Result;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.error.ConflictException;
import dev.idem.error.ExpiredException;
import dev.idem.error.InDoubtException;
import dev.idem.error.InFlightException;
import dev.idem.error.OperationFailedException;
import dev.idem.error.ResultUnavailableException;
import dev.idem.error.StaleTicketException;
import dev.idem.internal.Claims;
import dev.idem.internal.Engine;
import dev.idem.internal.Plan;
import dev.idem.ledger.Claim;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;
import dev.idem.seal.SealedLedger;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which requests were processed, on any ledger.
 *
 * <p>Marking a request as in progress is one atomic step: of many callers, processes and machines, one gets the ticket
 * and the others are refused. The store renews the ticket until the request is marked as complete or failed. A request
 * whose process died is in doubt, unless the store was told to {@link RequestStoreBuilder#retryAfterCrash()}.
 */
public final class RequestStore implements AutoCloseable {
    private static final String OPERATION = "request";

    private final Ledger ledger;
    private final Engine engine;
    private final Claims claims;
    private final Plan plan;
    private final boolean ownsLedger;

    RequestStore(Ledger ledger, Engine engine, Plan plan, boolean ownsLedger) {
        this.ledger = ledger;
        this.engine = engine;
        this.claims = new Claims(engine);
        this.plan = plan;
        this.ownsLedger = ownsLedger;
    }

    /** Opens a store on the ledger a URL names, with the defaults. */
    public static RequestStore open(String ledgerUrl) {
        return builder().ledger(ledgerUrl).open();
    }

    public static RequestStoreBuilder builder() {
        return new RequestStoreBuilder();
    }

    /** Whether the request is complete and has not expired. */
    public boolean isProcessed(String requestId) {
        return state(requestId).orElse(null) == State.COMPLETE;
    }

    /** What is known of the request; empty when it was never seen, has expired or was cleared. */
    public Optional<State> state(String requestId) {
        return ledger.find(address(requestId)).map(Entry::state);
    }

    /**
     * Takes the request, before any work on it. The ticket is kept and renewed until the request is marked as complete
     * or failed.
     *
     * @throws AlreadyProcessed when it is complete
     * @throws InFlightException when another has it
     * @throws InDoubtException when its process died, or said that it does not know
     * @throws OperationFailedException when it failed and the store asks for a clear before it runs again
     */
    public Ticket markInProgress(String requestId) {
        return claim(requestId, plan);
    }

    /**
     * Takes the request and guards its id against being used for another payload.
     *
     * @throws ConflictException when the id was used with another payload
     */
    public Ticket markInProgress(String requestId, @Nullable Object payload) {
        Plan guarded = plan.copy();
        guarded.hasContent = true;
        guarded.content = payload;
        return claim(requestId, guarded);
    }

    private Ticket claim(String requestId, Plan base) {
        Plan copy = base.copy();
        copy.operation = OPERATION;
        copy.key = requestId;
        Claim claim = claims.claim(copy);
        if (claim instanceof Claim.Granted granted) {
            return granted.ticket();
        } else if (claim instanceof Claim.Replay) {
            throw new AlreadyProcessed(requestId);
        } else if (claim instanceof Claim.InFlight inFlight) {
            throw new InFlightException(inFlight.entry(), inFlight.leaseLeft());
        } else if (claim instanceof Claim.InDoubt inDoubt) {
            throw new InDoubtException(inDoubt.entry(), inDoubt.doubt());
        } else if (claim instanceof Claim.ReplayedFailure failure) {
            throw new OperationFailedException(failure.entry(), true);
        } else if (claim instanceof Claim.Expired expired) {
            throw new ExpiredException(expired.entry());
        }
        throw ConflictException.ofIdentity(claim.entry());
    }

    /** Marks a request that this store has taken as complete, without a result. */
    public void markComplete(String requestId) {
        markComplete(requestId, null);
    }

    /**
     * Marks a request that this store has taken as complete.
     *
     * @throws IllegalStateException when this store has not taken it, or has taken it again since; then use the ticket
     * @throws StaleTicketException when another has taken it over meanwhile; its record stays
     */
    public void markComplete(String requestId, @Nullable Object result) {
        markComplete(ticketFor(requestId), result);
    }

    /** Marks the request of a ticket as complete. */
    public void markComplete(Ticket ticket, @Nullable Object result) {
        settle(
                ticket,
                new Settlement.Completed(claims.encode(result), Effect.CREATED, plan.policy.retention),
                State.COMPLETE,
                result);
    }

    /**
     * Marks a request that this store has taken as failed: nothing happened, and it may be taken again. Where that is
     * not known, use {@link #markInDoubt(String, String)}.
     */
    public void markFailed(String requestId, @Nullable String error) {
        markFailed(ticketFor(requestId), error);
    }

    /** Marks the request of a ticket as failed. */
    public void markFailed(Ticket ticket, @Nullable String error) {
        Failure failure = failure("failed", error);
        settle(
                ticket,
                new Settlement.Failed(failure, plan.policy.keepFailures, plan.policy.retention),
                State.FAILED,
                null);
    }

    /** Marks a request that this store has taken as in doubt: it may have had an effect. */
    public void markInDoubt(String requestId, @Nullable String error) {
        markInDoubt(ticketFor(requestId), error);
    }

    /** Marks the request of a ticket as in doubt. */
    public void markInDoubt(Ticket ticket, @Nullable String error) {
        settle(ticket, new Settlement.Doubtful(failure("in_doubt", error)), State.IN_DOUBT, null);
    }

    /** Many exceptions have no message, and callers hand on what they have. */
    private static Failure failure(String type, @Nullable String error) {
        return new Failure(type, Objects.requireNonNullElse(error, ""));
    }

    private void settle(Ticket ticket, Settlement how, State wanted, @Nullable Object value) {
        Settled settled = claims.settle(ticket, how);
        if (settled instanceof Settled.Stale stale) {
            throw new StaleTicketException(ticket, stale.entry(), value, null);
        } else if (settled instanceof Settled.Already already && already.entry().state() != wanted) {
            throw new StaleTicketException(ticket, already.entry(), value, null);
        }
    }

    /** The result of a complete request as text, bytes, numbers, maps and lists; empty when it is not complete. */
    public Optional<Processed<Object>> result(String requestId) {
        return result(requestId, Object.class);
    }

    /**
     * The result of a complete request; empty when it is not complete.
     *
     * @throws ResultUnavailableException when it is complete but its result can't be given again
     */
    public <T> Optional<Processed<T>> result(String requestId, Class<T> type) {
        return ledger.find(address(requestId))
                .filter(entry -> entry.state() == State.COMPLETE)
                .map(entry -> processed(entry, type));
    }

    @SuppressWarnings("unchecked") // the codec gives what it was asked for; cast() would refuse primitives
    private <T> Processed<T> processed(Entry entry, Class<T> type) {
        if (!(entry.result() instanceof Result.Stored stored)) {
            SealedLedger.requireUnsealed(entry);
            String why = entry.result() instanceof Result.Unavailable unavailable ? unavailable.why() : "it is gone";
            throw new ResultUnavailableException(entry, why, null);
        }
        try {
            Instant at = Objects.requireNonNullElse(
                    entry.times().settled(), entry.times().claimed());
            return new Processed<>((T) claims.decode(stored.payload(), type), at);
        } catch (Exception e) {
            SealedLedger.requireUnsealed(entry);
            throw new ResultUnavailableException(entry, String.valueOf(e.getMessage()), e);
        }
    }

    /**
     * Clears a request, so that its id may be used again; false when there was none.
     *
     * @throws InFlightException when it is in progress
     */
    public boolean clear(String requestId) {
        while (true) {
            Optional<Entry> found = ledger.find(address(requestId));
            if (found.isEmpty()) {
                return false;
            } else if (found.get().state() == State.IN_PROGRESS) {
                throw new InFlightException(found.get(), plan.policy.lease);
            } else if (ledger.forget(found.get())) {
                return true;
            }
        }
    }

    private Ticket ticketFor(String requestId) {
        Ticket ticket = claims.held(address(requestId));
        if (ticket == null) {
            throw new IllegalStateException("request '" + requestId
                    + "' was not taken by this store; call markInProgress first, and settle it once");
        }
        return ticket;
    }

    private Address address(String requestId) {
        return new Address(plan.scope, OPERATION, requestId);
    }

    /** Stops renewing. Requests that are still in progress will be in doubt. */
    @Override
    public void close() {
        engine.close();
        if (ownsLedger) {
            ledger.close();
        }
    }
}
