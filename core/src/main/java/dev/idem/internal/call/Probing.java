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

    /** {@code transactions} are those of a framework around calls; none in a joined call. */
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

    /** The settlement by a probe, and the exception of one that gave no verdict. */
    private record Probed(Settlement how, @Nullable Throwable thrown) {}

    /** Asks the probe of a call. The end of the call, or null to claim again. */
    <T extends @Nullable Object> @Nullable Ended<T> probed(Admitted call, Entry granted, ClaimStart sent) {
        HeldTicket held = heartbeats.hold(
                granted.ticket(), call.policy().lease(), sent, call.policy().timeLimit(), null);
        held.settlesItself = true;
        try {
            Probed probed = ask(call.plan(), granted);
            held.settling = true;
            Settled settled = resender.settle(granted.ticket(), probed.how());
            if (settled instanceof Settled.Recorded recorded) {
                events.settled(recorded.entry());
                return end(call, recorded.entry(), probed, sent);
            }
            // The doubted owner settled first, or this probe's own settle, whose answer was lost.
            return settled instanceof Settled.Already already ? end(call, already.entry(), probed, sent) : null;
        } finally {
            heartbeats.release(held);
        }
    }

    private <T extends @Nullable Object> @Nullable Ended<T> end(
            Admitted call, Entry after, Probed probed, ClaimStart sent) {
        if (after.state() == State.FAILED) {
            // A destructive action never runs again by itself. A new call of the caller is a decision to run it.
            return call.policy().sideEffect() == SideEffect.DESTRUCTIVE
                    ? refused(new Outcome.Failed<>(new OperationFailedException(after, false)))
                    : null;
        } else if (Replaying.isCompleted(after)) {
            replaying.remember(after, sent.dropsBefore());
            return new Ended<>(replaying.replay(call, after, "found by a probe", false), after);
        }
        return refused(new Outcome.InDoubt<>(doubts.reportProbed(after, probed.thrown())));
    }

    private <T extends @Nullable Object> Ended<T> refused(Outcome<T> outcome) {
        return new Ended<>(events.refused(outcome), null);
    }

    @SuppressWarnings("CatchingUnchecked") // after any exception of a probe the outcome stays unknown
    private Probed ask(Plan plan, Entry granted) {
        try {
            return new Probed(settlement(verdict(Objects.requireNonNull(plan.probe()), granted), plan), null);
        } catch (Throwable e) {
            Log.debug(() -> "the probe for " + granted.address() + " threw; it stays in doubt", e);
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return new Probed(new Settlement.Doubtful(Failure.of(e)), e);
        }
    }

    /** A probe runs inside the operation it is about, so that it can't wait for that. */
    private Probe.Verdict<?> verdict(Probe<?> probe, Entry granted) throws Exception {
        Frame frame = Frame.enter(granted.address(), gate.engine, transactions.current());
        try {
            return probe.ask(granted);
        } finally {
            frame.leave();
        }
    }

    private Settlement settlement(Probe.Verdict<?> verdict, Plan plan) {
        if (verdict instanceof Probe.Happened<?> happened) {
            return new Settlement.Completed(
                    codecs.encodeGiven(happened.result(), plan.type()),
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
