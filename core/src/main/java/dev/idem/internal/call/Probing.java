package dev.idem.internal.call;

import dev.idem.Entry;
import dev.idem.OperationFailedException;
import dev.idem.Outcome;
import dev.idem.Probe;
import dev.idem.SideEffect;
import dev.idem.State;
import dev.idem.internal.codec.Codecs;
import dev.idem.internal.runtime.Log;
import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks a probe while its ticket is held, and records its verdict. */
final class Probing {
    private final Resender resender;
    private final Heartbeats heartbeats;
    private final Gate gate;
    private final Codecs codecs;
    private final Events events;
    private final Doubts doubts;
    private final Replaying replaying;
    private final AmbientTransactions transactions;

    /** {@code transactions} are those that the entry is not part of. */
    Probing(
            Resender resender,
            Heartbeats heartbeats,
            Gate gate,
            Codecs codecs,
            Events events,
            Doubts doubts,
            Replaying replaying,
            AmbientTransactions transactions) {
        this.resender = resender;
        this.heartbeats = heartbeats;
        this.gate = gate;
        this.codecs = codecs;
        this.events = events;
        this.doubts = doubts;
        this.replaying = replaying;
        this.transactions = transactions;
    }

    /** A verdict to record, and the exception of a probe that gave none. */
    private record Verdict(Settlement how, @Nullable Throwable thrown) {}

    /** Asks the probe of a call. The end of the call, or null to claim again. */
    <T extends @Nullable Object> @Nullable Ended<T> probed(Admitted call, Entry granted, ClaimStart sent) {
        Verdict verdict;
        Settled settled;
        HeldTicket held = heartbeats.hold(
                granted.ticket(), call.policy().lease(), sent, call.policy().timeLimit(), null);
        held.acting = true;
        try {
            verdict = ask(call.plan(), granted);
            held.settling = true;
            settled = resender.settle(granted.ticket(), verdict.how());
        } finally {
            heartbeats.release(held);
        }
        if (settled instanceof Settled.Recorded recorded) {
            events.settled(recorded.entry());
            return ended(call, recorded.entry(), verdict, sent);
        }
        // The doubted owner settled first, or this probe's own settle, whose answer was lost.
        return settled instanceof Settled.Already already ? ended(call, already.entry(), verdict, sent) : null;
    }

    private <T extends @Nullable Object> @Nullable Ended<T> ended(
            Admitted call, Entry after, Verdict verdict, ClaimStart sent) {
        if (after.state() == State.FAILED) {
            // A destructive action never runs again by itself. A new call of the caller is a decision to run it.
            return call.policy().sideEffect() == SideEffect.DESTRUCTIVE
                    ? refused(new Outcome.Failed<>(new OperationFailedException(after, false)))
                    : null;
        } else if (Replaying.isCompleted(after)) {
            replaying.remember(after, sent.dropped());
            return new Ended<>(replaying.replay(call, after, "found by a probe", false), after);
        }
        return refused(new Outcome.InDoubt<>(doubts.probed(after, verdict.thrown())));
    }

    private <T extends @Nullable Object> Ended<T> refused(Outcome<T> outcome) {
        return new Ended<>(events.refused(outcome), null);
    }

    @SuppressWarnings("CatchingUnchecked") // after any exception of a probe the outcome stays unknown
    private Verdict ask(Plan plan, Entry granted) {
        // A probe runs inside the operation it is about, so that it can't wait for that.
        Frame frame = Frame.enter(granted.address(), gate, transactions.current());
        try {
            return new Verdict(settlement(Objects.requireNonNull(plan.probe()).ask(granted), plan), null);
        } catch (Throwable e) {
            Log.warn(() -> "the probe for " + granted.address() + " threw; it stays in doubt", e);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return new Verdict(new Settlement.Doubtful(Failure.of(e)), e);
        } finally {
            frame.leave();
        }
    }

    private Settlement settlement(Probe.Verdict<?> verdict, Plan plan) {
        if (verdict instanceof Probe.Happened<?> happened) {
            return new Settlement.Completed(
                    codecs.encode(happened.result(), plan.type()),
                    Effect.CREATED,
                    plan.policy().retention());
        } else if (verdict instanceof Probe.NotExecuted<?>) {
            return new Settlement.NotExecuted(
                    "a probe found no effect",
                    Retention.of(plan.policy().retention().keep()));
        }
        return new Settlement.Doubtful(new Failure("probe", "it could not tell"));
    }
}
