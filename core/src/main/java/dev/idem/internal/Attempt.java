package dev.idem.internal;

import dev.idem.Entry;
import dev.idem.InDoubtException;
import dev.idem.NotExecutedException;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Provenance;
import dev.idem.StaleTicketException;
import dev.idem.State;
import dev.idem.UnrecordedException;
import dev.idem.Warning;
import dev.idem.internal.Guarded.Answer.Ended;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs the action of one granted attempt and settles it, at once or when its stage completes. */
final class Attempt<T extends @Nullable Object> {
    private final Engine engine;
    private final Plan plan;
    private final Entry granted;
    private final HeldTicket held;
    private final RunningCall call;
    private final Subject subject;
    private final List<Warning> warnings;
    private final long remembered;
    private volatile boolean acting;
    private volatile @Nullable Frame entered;
    private volatile @Nullable Work<?> work;

    Attempt(Engine engine, Plan plan, Entry granted, ClaimStart sent, Subject subject) {
        this.engine = engine;
        this.plan = plan;
        this.granted = granted;
        Thread worker = plan.policy.isInterruptible() ? Thread.currentThread() : null;
        this.remembered = sent.remembered();
        this.held =
                engine.heartbeats.hold(granted.ticket(), plan.policy.lease(), sent, plan.policy.timeLimit(), worker);
        held.acting = true;
        if (engine.around != null) {
            engine.around.granted(granted.ticket());
        }
        this.call = new RunningCall(granted, held, engine.ledger, engine.settings, this::nothingHappened);
        this.subject = subject;
        this.warnings = new ArrayList<>(subject.warnings());
    }

    /** Runs the action in this thread. */
    Ended<T> run(Work<T> action) {
        try {
            return runHeld(action);
        } finally {
            engine.heartbeats.release(held);
        }
    }

    /** Starts an action in this thread, and settles when its stage completes, in the thread that completes it. */
    CompletableFuture<Ended<T>> start(Work<? extends CompletionStage<? extends T>> action) {
        Frame frame = Frame.enter(granted.address(), engine);
        entered = frame;
        CompletionStage<? extends T> stage;
        try {
            stage = Objects.requireNonNull(act(action), "the action gave no stage");
        } catch (Throwable thrown) {
            stage = CompletableFuture.failedFuture(thrown);
        } finally {
            frame.leave();
        }
        CompletableFuture<Ended<T>> end = new CompletableFuture<>();
        stage.whenComplete((value, thrown) -> {
            try {
                end.complete(thrown == null ? completed(value, frame) : ended(unwrapped(thrown), frame));
            } catch (Throwable unsettled) {
                end.completeExceptionally(unsettled);
            } finally {
                engine.heartbeats.release(held);
            }
        });
        return end;
    }

    /** Stages wrap the exceptions of the stages before them. */
    static Throwable unwrapped(Throwable thrown) {
        Throwable cause = thrown.getCause();
        return thrown instanceof CompletionException && cause != null ? cause : thrown;
    }

    /** Ends without having acted. */
    Ended<T> giveBack() {
        try {
            Settled settled = settle(new Settlement.NotExecuted(
                    "a destructive action does not run again by itself after a doubt",
                    Retention.of(plan.policy.retention().keep())));
            Entry entry = entryOf(settled);
            var refusal = new OperationFailedException(entry == null ? granted : entry, false);
            engine.events.refused(refusal);
            return new Ended<>(new Outcome.Failed<>(refusal), entry);
        } finally {
            engine.heartbeats.release(held);
        }
    }

    private Ended<T> runHeld(Work<T> action) {
        Frame frame = Frame.enter(granted.address(), engine);
        entered = frame;
        T value;
        try {
            value = act(action);
        } catch (Throwable thrown) {
            frame.leave();
            held.actionEnded();
            return ended(rolledBack(thrown), frame);
        }
        frame.leave();
        held.actionEnded();
        return completed(value, frame);
    }

    /** Rolls back the transaction of an action that threw. */
    private Throwable rolledBack(Throwable thrown) {
        Transaction<?> open = transaction();
        if (open != null) {
            try {
                open.close();
            } catch (RuntimeException e) {
                // The transaction had already ended, by the action or by an error: its rows may be committed.
                call.ambiguous(e);
                thrown.addSuppressed(e);
            }
        }
        return thrown;
    }

    private <R> R act(Work<R> action) throws Exception {
        work = action;
        engine.events.granted(granted);
        action.prepare();
        if (plan.policy.isStaged() && action.prepares()) {
            call.mark("acting");
        }
        requireOwnership();
        acting = true;
        return action.act(call);
    }

    /** Checks the lease just before the action: an owner that was paused past its lease must not act. */
    private void requireOwnership() {
        long now = engine.settings.nanos().getAsLong();
        String why = null;
        if (engine.heartbeats.closed()) {
            why = "Idem was closed";
        } else if (now - held.limitAt >= 0) {
            why = "its time limit was over";
        } else if (!trusted(now) && !renewed(now)) {
            held.lost = true;
            why = "another owner had taken over";
        }
        if (why != null) {
            throw new NotExecutedException("the action for " + granted.address() + " was not started, because " + why
                    + ". Nothing was done by this attempt");
        }
    }

    private boolean trusted(long now) {
        return held.trusted(now, engine.settings.wall().getAsLong());
    }

    private boolean renewed(long now) {
        long wall = engine.settings.wall().getAsLong();
        if (held.lost || !engine.ledger.renew(held.ticket, held.lease)) {
            return false;
        }
        held.renewed(now, wall);
        return true;
    }

    private Ended<T> completed(T value, Frame frame) {
        Result result = engine.settings.codecs().encode(value, plan.type);
        if (result instanceof Result.Unavailable unavailable) {
            warn(Warning.Code.NOT_REPLAYABLE, "the result can't be replayed: " + unavailable.why());
        }
        if (held.overran || !trusted(engine.settings.nanos().getAsLong())) {
            warn(Warning.Code.OVERRAN, "the action ran on past its time limit or its lease");
        }
        Settled settled;
        try {
            var how = new Settlement.Completed(result, call.effect(), call.retention(plan.policy.retention()));
            Transaction<?> open = transaction();
            settled = open == null ? settle(how) : committed(open, how);
        } catch (Committing.NotCommitted e) {
            return ended(e.why(), frame);
        } catch (RuntimeException e) {
            if (engine.around != null) {
                engine.around.refuseCommit();
                throw e;
            }
            // The caller must get the value, whatever the ledger throws.
            engine.events.unrecorded(ticket(), e);
            throw new UnrecordedException(ticket(), value, e);
        }
        Entry entry = entryOf(settled);
        if (settled instanceof Settled.Stale || entry == null || !Engine.isCompleted(entry)) {
            throw stale(entry, value);
        }
        engine.remember(entry, remembered);
        if (settled instanceof Settled.Already
                && entry.result() instanceof Result.Stored
                && !result.equals(entry.result())) {
            // Other callers have the probe's verdict, so this caller gets it too.
            return new Ended<>(
                    engine.replay(plan, subject, entry, "it ran, but a probe had settled it first", false), entry);
        }
        engine.events.settled(entry);
        return new Ended<>(
                new Outcome.Done<>(engine.own(plan, value, result), Provenance.ofRun(entry, warnings)), entry);
    }

    /** The attempt can't be settled any more. Inside a transaction, its entry was taken back with a part of its rows. */
    private StaleTicketException stale(@Nullable Entry entry, @Nullable Object value) {
        if (engine.around != null) {
            engine.around.refuseCommit();
        }
        var stale = new StaleTicketException(ticket(), entry, value, null);
        engine.events.refused(stale);
        return stale;
    }

    private Settled committed(Transaction<?> open, Settlement how) throws Committing.NotCommitted {
        held.settling = true;
        boolean late = engine.settings.nanos().getAsLong() - held.limitAt >= 0;
        return new Committing(engine.resender, granted, call).commit(open, how, late);
    }

    private Ended<T> ended(Throwable thrown, Frame frame) {
        Failure failure = Failure.of(thrown);
        boolean definite = definite(thrown, frame);
        boolean ended = plan.policy.probeGrace() != null && call.endIsSeen();
        Settlement how = definite ? failed(failure) : new Settlement.Doubtful(failure, ended);
        try {
            Settled settled = settle(how);
            Entry entry = entryOf(settled);
            if (settled instanceof Settled.Stale || entry == null) {
                if (acting) {
                    thrown.addSuppressed(stale(entry, null));
                }
                return unsettled(thrown, definite);
            }
            if (Engine.isCompleted(entry)) {
                return foundByAProbe(entry, thrown);
            }
            engine.events.settled(entry);
            Doubt doubt = entry.doubt();
            if (entry.state() == State.IN_DOUBT && doubt != null) {
                if (engine.around != null) {
                    // A doubt only if the transaction is committed in spite of the exception.
                    return new Ended<>(new Outcome.InDoubt<>(thrown), entry);
                }
                InDoubtException why = Recovery.exception(engine, plan, entry, doubt, engine.ageOf(entry));
                Log.warn(why::getMessage, engine.settings.keepsDetails() ? thrown : null);
                thrown.addSuppressed(why);
                return new Ended<>(new Outcome.InDoubt<>(thrown), entry);
            }
            return new Ended<>(new Outcome.Failed<>(thrown), entry);
        } catch (RuntimeException e) {
            if (engine.around != null) {
                // The error of the action has most likely aborted the transaction.
                return unsettled(thrown, definite);
            }
            engine.events.unrecorded(ticket(), e);
            thrown.addSuppressed(new UnrecordedException(ticket(), null, e));
            return unsettled(thrown, definite);
        }
    }

    /** The probe's verdict was written first and other callers have it, so this caller gets it too. */
    private Ended<T> foundByAProbe(Entry entry, Throwable thrown) {
        Log.warn(() -> "the action for " + entry.address() + " threw after a probe had found its effect", thrown);
        engine.remember(entry, remembered);
        return new Ended<>(
                engine.replay(plan, subject, entry, "it threw, but a probe had settled it first", false), entry);
    }

    private Settlement failed(Failure failure) {
        return new Settlement.Failed(
                failure,
                plan.policy.keepsFailures(),
                plan.policy.keepsFailures()
                        ? plan.policy.retention()
                        : Retention.of(plan.policy.retention().keep()));
    }

    /** Nothing was written, so an earlier doubt stays, even if this attempt knows its own outcome. */
    private Ended<T> unsettled(Throwable thrown, boolean definite) {
        boolean nothing = definite && granted.doubt() == null;
        return new Ended<>(nothing ? new Outcome.Failed<>(thrown) : new Outcome.InDoubt<>(thrown), null);
    }

    /** Whether the exception proves that nothing happened. */
    private boolean definite(Throwable thrown, Frame frame) {
        if (call.wasAmbiguous()) {
            return false;
        }
        if (!acting || transaction() != null || (plan.policy.isStaged() && call.stoppedBeforeItsMark(thrown))) {
            return true;
        }
        return proves(thrown, frame);
    }

    /** Whether a try inside the action has done nothing. Its rows in a transaction are undone only when that ends. */
    private boolean nothingHappened(Throwable thrown) {
        if (transaction() != null) {
            return false;
        }
        return (plan.policy.isStaged() && call.stoppedBeforeItsMark(thrown)) || proves(thrown, entered);
    }

    private @Nullable Transaction<?> transaction() {
        Work<?> current = work;
        return current == null ? null : current.transaction();
    }

    private boolean proves(Throwable thrown, @Nullable Frame frame) {
        return Proof.isGivenBy(thrown, plan.policy, one -> frame != null && frame.threwInside(one));
    }

    private Settled settle(Settlement how) {
        held.settling = true;
        return engine.resender.settle(ticket(), how);
    }

    private void warn(Warning.Code code, String message) {
        Warning warning = new Warning(code, message);
        warnings.add(warning);
        engine.events.warned(granted.address(), warning);
    }

    private Ticket ticket() {
        return held.ticket;
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
