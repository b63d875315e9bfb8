package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.HeldClaims;
import dev.idem.internal.call.Plan;
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
 * A record of processed requests, on any ledger, for handlers that mark the steps of a request by hand.
 *
 * <pre>{@code
 * try (RequestStore requests = RequestStore.open("sqlite:requests.db")) {
 *     requests.markInProgress("req-7");
 *     String reply = handle("req-7");
 *     requests.markComplete("req-7", reply);
 * }
 * }</pre>
 *
 * <p>Marking a request as in progress is one atomic step: one of many callers, processes and machines gets the ticket,
 * and the others are refused. The store renews the ticket until the request is marked as complete or failed. A request
 * whose process died is in doubt, unless the store was opened with {@link RequestStoreBuilder#retryAfterCrash()}.
 *
 * <p>Thread-safe. {@link RequestStoreBuilder} states the defaults. Every method throws a {@link LedgerException} when
 * the ledger can't answer.
 */
public final class RequestStore implements AutoCloseable {
    private static final String OPERATION = "request";
    private static final NextStep NEXT = new NextStep(
            "Find out whether the request was processed, then call resolve(requestId).asComplete(result) or .asFailed() "
                    + "on this store; open it with retryAfterCrash() if a request may safely run twice",
            false);

    private final Ledger ledger;
    private final Engine engine;
    private final HeldClaims claims;
    private final Plan plan;
    private final boolean ownsLedger;

    RequestStore(Ledger ledger, Engine engine, Plan plan, boolean ownsLedger) {
        this.ledger = ledger;
        this.engine = engine;
        this.claims = engine.claims();
        this.plan = plan;
        this.ownsLedger = ownsLedger;
    }

    /**
     * Opens a store with the defaults on the ledger that a URL names.
     *
     * @throws IllegalArgumentException when the URL is malformed or its ledger is not on the class path
     * @throws LedgerException when the ledger can't be opened
     */
    public static RequestStore open(String ledgerUrl) {
        return builder().ledger(ledgerUrl).open();
    }

    /** A builder for a store with other settings. */
    public static RequestStoreBuilder builder() {
        return new RequestStoreBuilder();
    }

    /** Whether the request is complete and has not expired. */
    public boolean isProcessed(String requestId) {
        return state(requestId).orElse(null) == State.COMPLETE;
    }

    /** The state of the request; empty when it is unknown, has expired or was cleared. */
    public Optional<State> state(String requestId) {
        return ledger.find(address(requestId)).map(Entry::state);
    }

    /**
     * Takes the request. Call it before any work on the request. The store keeps and renews the ticket until the
     * request is marked as complete or failed.
     *
     * @throws AlreadyProcessed when the request is complete
     * @throws InFlightException when another owner has taken the request
     * @throws InDoubtException when the process of the request died, or marked the request as in doubt
     * @throws OperationFailedException when the request failed and the store requires a {@link #clear} first
     */
    public Ticket markInProgress(String requestId) {
        return claim(requestId, plan);
    }

    /**
     * Takes the request and stores a fingerprint of its payload, so that the id can't serve another payload.
     *
     * @throws ConflictException when the id was used with another payload
     */
    public Ticket markInProgress(String requestId, @Nullable Object payload) {
        return claim(requestId, guarded(payload));
    }

    private Plan guarded(@Nullable Object payload) {
        return plan.withContent(payload);
    }

    private static Plan requested(Plan base, String requestId) {
        return base.withOperation(OPERATION).withId(requestId);
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
     * @throws IllegalStateException when this store has not taken the request, or has taken it twice; then use the
     *     ticket
     * @throws StaleTicketException when another owner has taken the request over; that owner's record stays
     */
    public void markComplete(String requestId, @Nullable Object result) {
        markComplete(ticketFor(requestId), result);
    }

    /**
     * Marks the request of a ticket as complete. A repeated call with the same result changes nothing.
     *
     * @throws IllegalStateException when the request is already complete with another result; that result stays
     * @throws IllegalArgumentException when the result is a future or the like; nothing was changed
     * @throws StaleTicketException when another owner has taken the request over; that owner's record stays
     */
    public void markComplete(Ticket ticket, @Nullable Object result) {
        settle(
                ticket,
                new Settlement.Completed(
                        engine.codecs().encodeGiven(result, Object.class),
                        Effect.CREATED,
                        plan.policy().retention()),
                State.COMPLETE,
                result);
    }

    /**
     * Marks a request that this store has taken as failed with an exception. If the exception proves that nothing
     * happened, the request may be taken again: a {@link NotExecutedException}, or one that
     * {@link RequestStoreBuilder#classify} declares as definite. Any other exception leaves the request in doubt, since
     * some of the work may have been done. An exception of a call of Idem inside the work proves nothing about the work.
     *
     * @throws AlreadyProcessed when {@code markComplete} was called before and threw: the completion is recorded instead
     * @throws InDoubtException when nothing happened but an earlier run of the request is in doubt. The failure of this
     *     run proves nothing about the earlier one, so the request stays in doubt
     */
    public void markFailed(String requestId, Throwable thrown) {
        markFailed(ticketFor(requestId), thrown);
    }

    /** Marks the request of a ticket as failed with an exception. */
    public void markFailed(Ticket ticket, Throwable thrown) {
        failed(ticket, Failure.of(thrown), HeldClaims.nothingHappened(thrown, plan.policy()));
    }

    /**
     * Marks a request that this store has taken as failed. A text does not prove that nothing happened, so the request
     * is in doubt. Give the exception itself where it tells more, or use {@link #markNotExecuted(String, String)}.
     *
     * @throws AlreadyProcessed when {@code markComplete} was called before and threw: the completion is recorded instead
     */
    public void markFailed(String requestId, @Nullable String error) {
        markFailed(ticketFor(requestId), error);
    }

    /** Marks the request of a ticket as failed, which leaves it in doubt. */
    public void markFailed(Ticket ticket, @Nullable String error) {
        failed(ticket, failure("error", error), false);
    }

    /**
     * Marks a request that this store has taken as not executed: the caller knows that nothing happened and nothing
     * will. The request may be taken again.
     *
     * @throws AlreadyProcessed when {@code markComplete} was called before and threw: the completion is recorded instead
     * @throws InDoubtException when an earlier run of the request is in doubt, which stays
     */
    public void markNotExecuted(String requestId, @Nullable String why) {
        markNotExecuted(ticketFor(requestId), why);
    }

    /** Marks the request of a ticket as not executed. */
    public void markNotExecuted(Ticket ticket, @Nullable String why) {
        failed(ticket, failure("not_executed", why), true);
    }

    private void failed(Ticket ticket, Failure failure, boolean nothingHappened) {
        Settlement.Completed done = claims.unconfirmed(ticket);
        if (done != null) {
            settle(ticket, done, State.COMPLETE, null);
            throw new AlreadyProcessed(ticket.address().key());
        } else if (nothingHappened) {
            settle(
                    ticket,
                    new Settlement.Failed(
                            failure,
                            plan.policy().keepsFailures(),
                            plan.policy().retention()),
                    State.FAILED,
                    null);
        } else {
            settle(ticket, new Settlement.Doubtful(failure), State.IN_DOUBT, null);
        }
    }

    /** Marks a request that this store has taken as in doubt: the request may have had an effect. */
    public void markInDoubt(String requestId, @Nullable String error) {
        markInDoubt(ticketFor(requestId), error);
    }

    /** Marks the request of a ticket as in doubt. */
    public void markInDoubt(Ticket ticket, @Nullable String error) {
        settle(ticket, new Settlement.Doubtful(failure("in_doubt", error)), State.IN_DOUBT, null);
    }

    /** Accepts null, since callers pass the message of an exception, and many exceptions have none. */
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

    /** Whether a repeated completion has the same result. Another result is an error. */
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
     * @throws ResultUnavailableException when it is complete but its result can't be replayed
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
     * The result of a complete request as text, bytes, numbers, maps and lists; empty when it is not complete. Where
     * the request has a payload, ask with it: an id that was used for another payload is then a conflict.
     */
    public Optional<Processed<Object>> result(String requestId) {
        return result(requestId, Object.class);
    }

    /**
     * The result of a complete request; empty when it is not complete.
     *
     * @throws ResultUnavailableException when it is complete but its result can't be replayed
     */
    public <T> Optional<Processed<T>> result(String requestId, Class<T> type) {
        return ledger.find(address(requestId))
                .filter(entry -> entry.state() == State.COMPLETE)
                .map(entry -> processed(entry, type));
    }

    @SuppressWarnings("unchecked") // the codec returns the requested type; cast() would refuse primitives
    private <T> Processed<T> processed(Entry entry, Class<T> type) {
        if (!(entry.result() instanceof Result.Stored stored)) {
            SealedLedger.requireUnsealed(entry);
            String why = entry.result() instanceof Result.Unavailable unavailable ? unavailable.why() : "it is gone";
            throw new ResultUnavailableException(entry, why, null);
        }
        try {
            Instant at = Objects.requireNonNullElse(
                    entry.times().settled(), entry.times().claimed());
            return new Processed<>((T) engine.codecs().decode(stored.payload(), type), at);
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
                throw new InFlightException(found.get(), plan.policy().lease());
            } else if (ledger.forget(found.get())) {
                return true;
            }
        }
    }

    /**
     * Begins to resolve a request in doubt by hand.
     *
     * @throws java.util.NoSuchElementException when the request is unknown
     */
    public Resolution resolve(String requestId) {
        return new Resolution(
                engine,
                ledger.find(address(requestId)).orElseThrow(),
                plan.policy().retention().keep());
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
        return new Address(plan.scope(), OPERATION, Key.ofId(requestId).value());
    }

    /** Stops the heartbeats. Requests that are still in progress will be in doubt after their lease. */
    @Override
    public void close() {
        engine.close();
        if (ownsLedger) {
            ledger.close();
        }
    }
}
