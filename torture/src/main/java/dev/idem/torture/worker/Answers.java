package dev.idem.torture.worker;

import dev.idem.IdemException;
import dev.idem.LedgerUnreadableException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.StaleTicketException;
import dev.idem.UnrecordedException;
import dev.idem.torture.check.Answer;
import dev.idem.torture.check.Line;
import dev.idem.torture.check.Promise;
import dev.idem.torture.check.Token;
import java.util.Objects;
import java.util.Set;

/**
 * Makes the log line for the outcome of a call.
 *
 * @param replay what a replay counts as
 */
record Answers(String id, String address, Set<Promise> promises, Answer replay) {

    Line.Answered of(Outcome<String> outcome, long ownFence) {
        return outcome.match(new Outcome.Cases<>() {
            @Override
            public Line.Answered done(Outcome.Done<String> done) {
                return valued(Answer.DONE, done);
            }

            @Override
            public Line.Answered replayed(Outcome.Replayed<String> replayed) {
                return valued(replay, replayed);
            }

            @Override
            public Line.Answered inFlight(Outcome.InFlight<String> inFlight) {
                return without(Answer.IN_FLIGHT, 0, inFlight.failure());
            }

            @Override
            public Line.Answered conflict(Outcome.Conflict<String> conflict) {
                return without(Answer.CONFLICT, 0, conflict.failure());
            }

            @Override
            public Line.Answered inDoubt(Outcome.InDoubt<String> inDoubt) {
                return without(Answer.IN_DOUBT, 0, inDoubt.failure());
            }

            @Override
            public Line.Answered failed(Outcome.Failed<String> failed) {
                return Answers.this.failed(failed.failure(), ownFence);
            }

            @Override
            public Line.Answered expired(Outcome.Expired<String> expired) {
                long fence = expired.failure().entry().fence().number();
                return without(Answer.EXPIRED, fence, expired.failure());
            }

            @Override
            public Line.Answered unavailable(Outcome.Unavailable<String> unavailable) {
                return without(Answer.UNAVAILABLE, 0, unavailable.failure());
            }
        });
    }

    /** For a call that threw instead of returning an outcome. */
    Line.Answered thrown(Throwable thrown) {
        boolean told = thrown instanceof IdemException && !(thrown instanceof LedgerUnreadableException);
        return without(told ? Answer.NONE : Answer.SURPRISE, 0, thrown);
    }

    private Line.Answered valued(Answer answer, Outcome.Valued<String> outcome) {
        long fence = Objects.requireNonNull(outcome.provenance().fence()).number();
        return new Line.Answered(id, address, answer, fence, Token.nameIn(outcome.value()));
    }

    private Line.Answered failed(Throwable cause, long ownFence) {
        if (cause instanceof OperationFailedException elsewhere
                && elsewhere.entry().address().toString().equals(address)) {
            long fence = elsewhere.entry().tenure().acted().number();
            return without(elsewhere.kept() ? Answer.KEPT_FAILURE : Answer.FAILED, fence, cause);
        }
        if (ownFence == 0 || unrecorded(cause)) {
            return without(Answer.NONE, 0, cause);
        }
        return without(promises.contains(Promise.KEPT) ? Answer.KEPT_FAILURE : Answer.FAILED, ownFence, cause);
    }

    /** Whether the action's own failure is not in the ledger. */
    private static boolean unrecorded(Throwable cause) {
        for (Throwable each : cause.getSuppressed()) {
            if (each instanceof UnrecordedException || each instanceof StaleTicketException) {
                return true;
            }
        }
        return false;
    }

    private Line.Answered without(Answer answer, long fence, Throwable cause) {
        String why = cause.getClass().getSimpleName();
        return new Line.Answered(
                id, address, answer, fence, answer == Answer.SURPRISE ? why + ": " + cause.getMessage() : why);
    }
}
