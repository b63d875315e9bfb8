package dev.idem.server;

import dev.idem.ConflictException;
import dev.idem.Entry;
import dev.idem.ExpiredException;
import dev.idem.InFlightException;
import dev.idem.OperationFailedException;
import dev.idem.Policy;
import dev.idem.State;
import dev.idem.agent.tool.RefusalWords;
import dev.idem.internal.call.ServedClaims;
import dev.idem.spi.Claim;
import dev.idem.spi.Owner;
import dev.idem.spi.Settlement;
import java.time.Duration;

/** The answer to a claim for each answer of the ledger. */
record ClaimAnswers(
        ServedClaims.Answer claimed,
        Policy policy,
        Owner owner,
        boolean canProbe,
        Doubts doubts,
        Results results,
        String ledgerId)
        implements Claim.Cases<Answer> {
    @Override
    public Answer granted(Claim.Granted granted) {
        Entry entry = granted.entry();
        Answer answer = Answer.of(entry.probing() ? "probe" : "granted")
                .with("ticket", ticket(entry).text())
                .with("key", entry.address().key())
                .with("fence", entry.fence())
                .with("attempt", entry.attempt())
                .withMillis("lease_ms", policy.lease())
                .withMillis("time_limit_ms", policy.timeLimit())
                .with("policy", Policies.fields(policy))
                .withWarnings(claimed.asked().warnings());
        return entry.probing() ? answer.with("entry", EntryFields.of(entry)) : answer;
    }

    TicketText ticket(Entry entry) {
        return TicketText.of(ledgerId, entry.ticket(), entry.probing(), policy, owner);
    }

    @Override
    public Answer replay(Claim.Replay replay) {
        Entry entry = replay.entry();
        Answer answer = results.add(
                about("replay", entry)
                        .with("ran_at", entry.times().claimed())
                        .withWarnings(claimed.asked().warningsBeside(entry)),
                entry);
        Object why = answer.members().get("unavailable");
        return why == null ? answer : answer.with("for_model", words(entry).withoutResult(String.valueOf(why)));
    }

    @Override
    public Answer replayedFailure(Claim.ReplayedFailure failure) {
        return failed(failure.entry());
    }

    /** The end of an attempt that has failed: of an earlier call, or of one that this call waited for. */
    static Answer failed(Entry entry) {
        boolean kept = entry.settlement() instanceof Settlement.Failed failed && failed.kept();
        String message = EntryFields.message(entry);
        return about("failed", entry)
                .with("kept", kept)
                .with(
                        "failure",
                        entry.failure() == null ? null : entry.failure().type())
                .with("failure_message", message)
                .with("message", new OperationFailedException(entry, kept).getMessage())
                .with("for_model", words(entry).failedBefore(message == null ? "it gave no reason" : message));
    }

    @Override
    public Answer inFlight(Claim.InFlight inFlight) {
        return inFlight(inFlight.entry(), inFlight.leaseLeft());
    }

    static Answer inFlight(Entry entry, Duration left) {
        InFlightException running = new InFlightException(entry, left);
        // An entry that has ended is in flight where a transaction, or a child of its owner, runs on: no end of this
        // attempt can be waited for.
        boolean runs = entry.state() == State.IN_PROGRESS;
        return Answer.of("in_flight")
                .with("key", entry.address().key())
                .with("fence", runs ? entry.fence() : null)
                .with("attempt", entry.attempt())
                .with("since", entry.times().claimed())
                .with("owner", entry.tenure().owner().name())
                .withMillis("lease_left_ms", left)
                .withMillis("retry_after_ms", running.retryAfter())
                .with("message", running.getMessage())
                .with("for_model", words(entry).inFlight(entry.times().claimed()));
    }

    @Override
    public Answer conflict(Claim.Conflict conflict) {
        Entry entry = conflict.entry();
        ConflictException why =
                claimed.reworded() ? ConflictException.ofContent(entry) : ConflictException.ofIdentity(entry);
        return about("conflict", entry)
                .with("of", claimed.reworded() ? "content" : "identity")
                .with("message", why.getMessage())
                .with("for_model", words(entry).conflict());
    }

    @Override
    public Answer inDoubt(Claim.InDoubt inDoubt) {
        return doubts.answer(inDoubt.entry(), policy, canProbe);
    }

    @Override
    public Answer expired(Claim.Expired expired) {
        Entry entry = expired.entry();
        return about("expired", entry)
                .with("ran_at", entry.times().claimed())
                .with("message", new ExpiredException(entry).getMessage())
                .with("for_model", words(entry).expired());
    }

    private static Answer about(String word, Entry entry) {
        return Answer.of(word)
                .with("key", entry.address().key())
                .with("fence", entry.fence())
                .with("attempt", entry.attempt());
    }

    private static RefusalWords words(Entry entry) {
        return new RefusalWords(entry.address().operation());
    }
}
