package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.NotExecutedException;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Ledger;
import dev.idem.spi.Transactional.Transaction;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Runs or starts the action of a granted attempt while its ticket is held. */
final class Acting {
    private final Ledger ledger;
    private final Heartbeats heartbeats;
    private final Clock clock;
    private final Gate gate;
    private final Events events;
    private final Settling settling;
    private final AmbientTransactions transactions;
    private final @Nullable JoinedTransaction joined;

    /**
     * @param transactions those of a framework around calls; none in a joined call
     * @param joined the transaction that the entry is part of, if there is one
     */
    Acting(
            Ledger ledger,
            Heartbeats heartbeats,
            Clock clock,
            Gate gate,
            Events events,
            Settling settling,
            AmbientTransactions transactions,
            @Nullable JoinedTransaction joined) {
        this.ledger = ledger;
        this.heartbeats = heartbeats;
        this.clock = clock;
        this.gate = gate;
        this.events = events;
        this.settling = settling;
        this.transactions = transactions;
        this.joined = joined;
    }

    /** Holds the ticket of a granted claim. The attempt must then be run or given back. */
    Attempt hold(Admitted call, Entry granted, ClaimStart sent) {
        Thread worker = call.policy().isInterruptible() ? Thread.currentThread() : null;
        HeldTicket held = heartbeats.hold(
                granted.ticket(),
                call.policy().lease(),
                since(sent),
                call.policy().timeLimit(),
                worker);
        held.settlesItself = true;
        if (joined != null) {
            joined.granted(granted.ticket());
        }
        return new Attempt(call, granted, held, sent.dropsBefore(), ledger, clock);
    }

    /** Inside a transaction no other owner can take over, and the claim may have waited for another transaction. */
    private ClaimStart since(ClaimStart sent) {
        return joined == null ? sent : new ClaimStart(clock.nanos(), clock.millis(), sent.dropsBefore());
    }

    /** Runs the attempt. It has ended when this method returns, or when the stage of a started action completes. */
    <T extends @Nullable Object> CompletableFuture<Ended<T>> run(Attempt attempt, Runner<T> runner) {
        return runner instanceof Runner.Starting<T> starting
                ? start(attempt, starting.work())
                : CompletableFuture.completedFuture(finish(attempt, ((Runner.Running<T>) runner).work()));
    }

    /** Ends an attempt that has not acted. */
    <T extends @Nullable Object> Ended<T> giveBack(Attempt attempt, String why) {
        try {
            return settling.giveBack(attempt, why);
        } finally {
            heartbeats.release(attempt.held);
        }
    }

    private <T extends @Nullable Object> Ended<T> finish(Attempt attempt, Work<T> work) {
        try {
            Frame frame = enter(attempt);
            attempt.begin(work, frame);
            T value;
            try {
                value = Runner.result(act(attempt, work), attempt.call);
            } catch (Throwable thrown) {
                leave(frame, attempt);
                return settling.fail(attempt, rolledBack(attempt, thrown));
            }
            leave(frame, attempt);
            return settling.complete(attempt, value);
        } finally {
            heartbeats.release(attempt.held);
        }
    }

    private Frame enter(Attempt attempt) {
        return Frame.enter(attempt.granted.address(), gate.engine, transactions.current());
    }

    private static void leave(Frame frame, Attempt attempt) {
        frame.leave();
        attempt.held.actionEnded();
    }

    /** Starts an action in this thread, and settles when its stage completes, in the thread that completes it. */
    private <T extends @Nullable Object> CompletableFuture<Ended<T>> start(
            Attempt attempt, Work<? extends CompletionStage<? extends T>> work) {
        Frame frame = enter(attempt);
        attempt.begin(work, frame);
        CompletionStage<? extends T> stage;
        try {
            stage = Objects.requireNonNull(act(attempt, work), "the action gave no stage");
        } catch (Throwable thrown) {
            stage = CompletableFuture.failedFuture(thrown);
        } finally {
            frame.leave();
        }
        CompletableFuture<Ended<T>> end = new CompletableFuture<>();
        stage.<T>thenApply(value -> Runner.result(value, attempt.call)).whenComplete((value, thrown) -> {
            try {
                end.complete(
                        thrown == null
                                ? settling.complete(attempt, value)
                                : settling.fail(attempt, Runner.unwrapped(thrown)));
            } catch (Throwable unsettled) {
                end.completeExceptionally(unsettled);
            } finally {
                heartbeats.release(attempt.held);
            }
        });
        return end;
    }

    /** Rolls back the transaction of an action that threw. */
    private static Throwable rolledBack(Attempt attempt, Throwable thrown) {
        Transaction<?> open = attempt.transaction();
        if (open != null) {
            try {
                open.close();
            } catch (RuntimeException e) {
                // The transaction had already ended, by the action or by an error: its rows may be committed.
                attempt.call.ambiguous(e);
                thrown.addSuppressed(e);
            }
        }
        return thrown;
    }

    private <R> R act(Attempt attempt, Work<R> work) throws Exception {
        events.granted(attempt.granted);
        work.prepare();
        if (attempt.policy().isStaged() && work.prepares()) {
            attempt.call.mark("acting");
        }
        requireOwnership(attempt);
        attempt.acting = true;
        return work.act(attempt.call);
    }

    /** Checks the lease just before the action: an owner that was paused past its lease must not act. */
    private void requireOwnership(Attempt attempt) {
        String why = null;
        if (heartbeats.closed()) {
            why = "Idem was closed";
        } else if (attempt.call.isPastItsLimit()) {
            why = "its time limit was over";
        } else if (!attempt.call.isTrusted() && !renewed(attempt.held)) {
            attempt.held.lost = true;
            why = "another owner had taken over";
        }
        if (why != null) {
            throw new NotExecutedException("the action for " + attempt.granted.address() + " was not started, because "
                    + why + ". Nothing was done by this attempt");
        }
    }

    private boolean renewed(HeldTicket held) {
        long now = clock.nanos();
        long wall = clock.millis();
        if (held.lost || !ledger.renew(held.ticket, held.lease)) {
            return false;
        }
        held.renewed(now, wall);
        return true;
    }
}
