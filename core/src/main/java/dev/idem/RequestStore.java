package dev.idem;

import dev.idem.internal.Claims;
import dev.idem.internal.Engine;
import dev.idem.internal.Ids;
import dev.idem.internal.Plan;
import dev.idem.internal.key.Key;
import dev.idem.seal.SealedLedger;
import dev.idem.spi.Claim;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Ledger;
import dev.idem.spi.Result;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
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
    private static final NextStep NEXT = new NextStep(
            "Find out whether the request was processed, then call resolve(requestId).asComplete(result) or .asFailed() "
                    + "on this store; open it with retryAfterCrash() if a request may safely run twice",
            false);

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
        return claim(requestId, guarded(payload));
    }

    private Plan guarded(@Nullable Object payload) {
        Plan guarded = plan.copy();
        guarded.hasContent = true;
        guarded.content = payload;
        return guarded;
    }

    private static Plan requested(Plan base, String requestId) {
        Plan copy = Ids.with(base, requestId);
        copy.operation = OPERATION;
        return copy;
    }

    private Ticket claim(String requestId, Plan base) {
        Claim claim = claims.claim(requested(base, requestId));
        if (claim instanceof Claim.Granted granted) {
            return granted.ticket();
        } else if (claim instanceof Claim.Replay) {
            throw new AlreadyProcessed(requestId);
        } else if (claim instanceof Claim.InFlight inFlight) {
            throw new InFlightException(inFlight.entry(), inFlight.leaseLeft());
        } else if (claim instanceof Claim.InDoubt inDoubt) {
            throw new InDoubtException(inDoubt.entry(), inDoubt.doubt(), NEXT);
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

    /**
     * Marks the request of a ticket as complete. Sent again with the same result, it changes nothing.
     *
     * @throws IllegalStateException when it was marked as complete with another result, which stays
     * @throws StaleTicketException when another has taken it over meanwhile; its record stays
     */
    public void markComplete(Ticket ticket, @Nullable Object result) {
        settle(
                ticket,
                new Settlement.Completed(claims.encode(result), Effect.CREATED, plan.policy.retention()),
                State.COMPLETE,
                result);
    }

    /**
     * Marks a request that this store has taken as failed: nothing happened, and it may be taken again. Where that is
     * not known, use {@link #markInDoubt(String, String)}.
     *
     * @throws InDoubtException when an earlier run of the request is in doubt: the failure of this one proves nothing
     *     about that, so that the request stays in doubt
     */
    public void markFailed(String requestId, @Nullable String error) {
        markFailed(ticketFor(requestId), error);
    }

    /** Marks the request of a ticket as failed. */
    public void markFailed(Ticket ticket, @Nullable String error) {
        Failure failure = failure("failed", error);
        settle(
                ticket,
                new Settlement.Failed(failure, plan.policy.keepsFailures(), plan.policy.retention()),
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
        return Failure.told(type, Objects.requireNonNullElse(error, ""));
    }

    private void settle(Ticket ticket, Settlement how, State wanted, @Nullable Object value) {
        Settled settled = claims.settle(ticket, how);
        if (settled instanceof Settled.Stale stale) {
            throw new StaleTicketException(ticket, stale.entry(), value, null);
        } else if (settled instanceof Settled.Already already) {
            Entry entry = already.entry();
            if (entry.state() != wanted) {
                throw new StaleTicketException(ticket, entry, value, null);
            } else if (!sameResult(entry, how)) {
                throw new IllegalStateException(
                        "request '" + ticket.address().key()
                                + "' was marked as complete before, with another result, which stays. This one was not recorded");
            }
        } else {
            Entry entry = ((Settled.Recorded) settled).entry();
            if (wanted == State.FAILED && entry.doubt() != null) {
                throw new InDoubtException(entry, entry.doubt(), NEXT);
            }
        }
    }

    /** A completion that is sent again is no news, one with another result is. */
    private static boolean sameResult(Entry entry, Settlement how) {
        return !(how instanceof Settlement.Completed completed)
                || completed.result().equals(entry.result());
    }

    /**
     * The result of a complete request for the same payload, as text, bytes, numbers, maps and lists; empty when it is
     * not complete.
     *
     * @throws ConflictException when the id was used with another payload: its result is the answer to something else
     */
    public Optional<Processed<Object>> result(String requestId, @Nullable Object payload) {
        return result(requestId, payload, Object.class);
    }

    /**
     * The result of a complete request for the same payload; empty when it is not complete.
     *
     * @throws ConflictException when the id was used with another payload: its result is the answer to something else
     * @throws ResultUnavailableException when it is complete but its result can't be given again
     */
    public <T> Optional<Processed<T>> result(String requestId, @Nullable Object payload, Class<T> type) {
        Fingerprints asked = claims.fingerprints(requested(guarded(payload), requestId));
        Fingerprints withoutPayload = claims.fingerprints(requested(plan, requestId));
        Optional<Entry> found = ledger.find(address(requestId)).filter(entry -> entry.state() == State.COMPLETE);
        found.filter(entry -> !entry.fingerprints().equals(withoutPayload)
                        && entry.fingerprints().conflictsWith(asked))
                .ifPresent(entry -> {
                    throw ConflictException.ofIdentity(entry);
                });
        return found.map(entry -> processed(entry, type));
    }

    /**
     * The result of a complete request as text, bytes, numbers, maps and lists; empty when it is not complete. Where the
     * request has a payload, ask with it: an id that was used for another payload is then a conflict.
     */
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
                throw new InFlightException(found.get(), plan.policy.lease());
            } else if (ledger.forget(found.get())) {
                return true;
            }
        }
    }

    /**
     * Resolves a request in doubt by a person's word.
     *
     * @throws java.util.NoSuchElementException when the request is not known
     */
    public Resolution resolve(String requestId) {
        return new Resolution(
                engine,
                ledger.find(address(requestId)).orElseThrow(),
                plan.policy.retention().keep());
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
        return new Address(plan.scope, OPERATION, Key.ofId(requestId).value());
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
