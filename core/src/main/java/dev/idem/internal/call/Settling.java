package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.Warning;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.runtime.Log;
import dev.idem.spi.Failure;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Transactional.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Judges how an attempt has ended, and records it: complete, failed or in doubt. */
final class Settling {
    private final Resender resender;
    private final Codecs codecs;
    private final Events events;
    private final Doubts doubts;
    private final Replaying replaying;
    private final @Nullable JoinedTransaction joined;

    /** {@code joined} is the transaction of a framework that the entry is part of, if there is one. */
    Settling(
            Resender resender,
            Codecs codecs,
            Events events,
            Doubts doubts,
            Replaying replaying,
            @Nullable JoinedTransaction joined) {
        this.resender = resender;
        this.codecs = codecs;
        this.events = events;
        this.doubts = doubts;
        this.replaying = replaying;
        this.joined = joined;
    }

    /** Records that an attempt has not acted. */
    <T extends @Nullable Object> Ended<T> giveBack(Attempt attempt, String why) {
        Settled settled = settle(attempt, new Settlement.NotExecuted(why, withoutTombstone(attempt)));
        Entry entry = entryOf(settled);
        if (entry != null && entry.state() == State.IN_DOUBT && entry.doubt() != null) {
            // An earlier attempt may have acted.
            return new Ended<>(events.refused(new Outcome.InDoubt<>(doubts.reportEnded(attempt.plan(), entry))), entry);
        }
        var refusal = new OperationFailedException(entry == null ? attempt.granted : entry, false);
        return new Ended<>(events.refused(new Outcome.Failed<>(refusal)), entry);
    }

    /** Records the value of an action. */
    <T extends @Nullable Object> Ended<T> complete(Attempt attempt, T value) {
        Result result = codecs.encode(value, attempt.plan().type());
        List<Warning> warnings = warnings(attempt, result);
        Settled settled;
        try {
            var how = new Settlement.Completed(
                    result,
                    attempt.call.effect(),
                    attempt.call.retention(attempt.policy().retention()));
            Transaction<?> open = attempt.transaction();
            settled = open == null ? settle(attempt, how) : committed(attempt, open, how);
        } catch (Committing.NotCommitted e) {
            return fail(attempt, e.why());
        } catch (RuntimeException e) {
            if (joined != null) {
                joined.refuseCommit();
                throw e;
            }
            // The caller must get the value, whatever the ledger throws.
            events.unrecorded(attempt.ticket(), e);
            throw new UnrecordedException(attempt.ticket(), value, e);
        }
        Entry entry = entryOf(settled);
        if (settled instanceof Settled.Stale || entry == null || !Replaying.isCompleted(entry)) {
            throw stale(attempt, entry, value);
        }
        replaying.remember(entry, attempt.dropsBefore);
        if (settled instanceof Settled.Already
                && entry.result() instanceof Result.Stored
                && !result.equals(entry.result())) {
            // Other callers have the probe's verdict, so this caller gets it too.
            return new Ended<>(
                    replaying.replay(attempt.admitted, entry, "it ran, but a probe had settled it first", false),
                    entry);
        }
        events.settled(entry);
        return new Ended<>(
                new Outcome.Done<>(replaying.own(attempt.plan(), value, result), Provenance.ofRun(entry, warnings)),
                entry);
    }

    private List<Warning> warnings(Attempt attempt, Result result) {
        List<Warning> warnings = new ArrayList<>(attempt.admitted.subject().warnings());
        int known = warnings.size();
        if (result instanceof Result.Unavailable unavailable) {
            warnings.add(
                    new Warning(Warning.Code.NOT_REPLAYABLE, "the result can't be replayed: " + unavailable.why()));
        }
        if (attempt.held.overran || !attempt.call.isTrusted()) {
            warnings.add(new Warning(Warning.Code.OVERRAN, "the action ran on past its time limit or its lease"));
        }
        // A crash takes back the rows of a transaction.
        if (attempt.transaction() == null && joined == null && attempt.call.actedUnmarked()) {
            warnings.add(new Warning(
                    Warning.Code.UNMARKED,
                    "the action is staged, and acted without a mark: if its process had died, it would run again. Write"
                            + " the mark right before the effect, with prepare(…) or call.mark(…)"));
        }
        warnings.subList(known, warnings.size()).forEach(one -> events.warned(attempt.granted.address(), one));
        return warnings;
    }

    private Settled committed(Attempt attempt, Transaction<?> open, Settlement how) throws Committing.NotCommitted {
        attempt.held.settling = true;
        return new Committing(resender, attempt.granted, attempt.call).commit(open, how);
    }

    /** Records the exception of an action: as failed where it proves that nothing happened, else as in doubt. */
    <T extends @Nullable Object> Ended<T> fail(Attempt attempt, Throwable thrown) {
        boolean definite = attempt.isDefinite(thrown);
        Settlement how = judged(attempt, thrown, definite);
        try {
            Settled settled = settle(attempt, how);
            Entry entry = entryOf(settled);
            if (settled instanceof Settled.Stale || entry == null) {
                if (attempt.acting) {
                    thrown.addSuppressed(stale(attempt, entry, null));
                }
                return unsettled(attempt, thrown, definite);
            }
            if (Replaying.isCompleted(entry)) {
                return foundByAProbe(attempt, entry, thrown);
            }
            events.settled(entry);
            if (entry.state() != State.IN_DOUBT || entry.doubt() == null) {
                return new Ended<>(new Outcome.Failed<>(thrown), entry);
            }
            // Inside a transaction it is a doubt only if that is committed in spite of the exception.
            if (joined == null) {
                thrown.addSuppressed(doubts.reportLeft(attempt.plan(), entry, thrown));
            }
            return new Ended<>(new Outcome.InDoubt<>(thrown), entry);
        } catch (RuntimeException e) {
            // Inside a transaction, the error of the action has most likely aborted it.
            if (joined == null) {
                events.unrecorded(attempt.ticket(), e);
                thrown.addSuppressed(new UnrecordedException(attempt.ticket(), null, e));
            }
            return unsettled(attempt, thrown, definite);
        }
    }

    private static Settlement judged(Attempt attempt, Throwable thrown, boolean definite) {
        Failure failure = Failure.of(thrown);
        if (!definite) {
            boolean ended = attempt.policy().probeGrace() != null && attempt.saw(thrown);
            return new Settlement.Doubtful(failure, ended);
        }
        boolean kept = attempt.policy().keepsFailures();
        return new Settlement.Failed(failure, kept, kept ? attempt.policy().retention() : withoutTombstone(attempt));
    }

    private static Retention withoutTombstone(Attempt attempt) {
        return Retention.of(attempt.policy().retention().keep());
    }

    /** The probe's verdict was written first and other callers have it, so this caller gets it too. */
    private <T extends @Nullable Object> Ended<T> foundByAProbe(Attempt attempt, Entry entry, Throwable thrown) {
        Log.warn(() -> "the action for " + entry.address() + " threw after a probe had found its effect", thrown);
        replaying.remember(entry, attempt.dropsBefore);
        return new Ended<>(
                replaying.replay(attempt.admitted, entry, "it threw, but a probe had settled it first", false), entry);
    }

    /** Nothing was written, so an earlier doubt stays, even if this attempt knows its own outcome. */
    private static <T extends @Nullable Object> Ended<T> unsettled(
            Attempt attempt, Throwable thrown, boolean definite) {
        boolean nothing = definite && attempt.granted.doubt() == null;
        return new Ended<>(nothing ? new Outcome.Failed<>(thrown) : new Outcome.InDoubt<>(thrown), null);
    }

    /** The attempt can't be settled any more. Inside a transaction, its entry was taken back with a part of its rows. */
    private StaleTicketException stale(Attempt attempt, @Nullable Entry entry, @Nullable Object value) {
        if (joined != null) {
            joined.refuseCommit();
        }
        var stale = new StaleTicketException(attempt.ticket(), entry, value, null);
        events.refused(stale);
        return stale;
    }

    private Settled settle(Attempt attempt, Settlement how) {
        attempt.held.settling = true;
        return resender.settle(attempt.ticket(), how);
    }

    private static @Nullable Entry entryOf(Settled settled) {
        if (settled instanceof Settled.Recorded recorded) {
            return recorded.entry();
        } else if (settled instanceof Settled.Already already) {
            return already.entry();
        }
        return ((Settled.Stale) settled).entry();
    }
}
