package dev.idem.internal;

import dev.idem.Entry;
import dev.idem.Probe;
import dev.idem.spi.Effect;
import dev.idem.spi.Failure;
import dev.idem.spi.Retention;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import org.jspecify.annotations.Nullable;

/** Asks a probe while holding the ticket, and writes its verdict. */
final class Probing {
    private final Engine engine;
    private final Plan plan;
    private @Nullable Throwable thrown;

    Probing(Engine engine, Plan plan) {
        this.engine = engine;
        this.plan = plan;
    }

    /** The entry after the probe: complete, failed (nothing happened), still in doubt, or null if taken over. */
    @Nullable
    Entry ask(Probe<?> probe, Entry granted, ClaimStart sent) {
        HeldTicket held =
                engine.heartbeats.hold(granted.ticket(), plan.policy.lease(), sent, plan.policy.timeLimit(), null);
        held.acting = true;
        try {
            Settlement verdict = verdictOf(probe, granted);
            held.settling = true;
            Settled settled = engine.resender.settle(granted.ticket(), verdict);
            if (settled instanceof Settled.Recorded recorded) {
                engine.events.settled(recorded.entry());
                return recorded.entry();
            }
            // The doubted owner settled first, or this probe's own settle, whose answer was lost.
            return settled instanceof Settled.Already already ? already.entry() : null;
        } finally {
            engine.heartbeats.release(held);
        }
    }

    /** What the probe threw, if it did. */
    @Nullable
    Throwable thrown() {
        return thrown;
    }

    /** A probe runs inside the operation it is about, so that it can't wait for that. */
    private Probe.Verdict<?> asked(Probe<?> probe, Entry granted) throws Exception {
        Frame frame = Frame.enter(granted.address(), engine);
        try {
            return probe.ask(granted);
        } finally {
            frame.leave();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // after any exception of a probe the outcome stays unknown
    private Settlement verdictOf(Probe<?> probe, Entry granted) {
        try {
            Probe.Verdict<?> verdict = asked(probe, granted);
            if (verdict instanceof Probe.Happened<?> happened) {
                return new Settlement.Completed(
                        engine.settings.codecs().encode(happened.result(), plan.type),
                        Effect.CREATED,
                        plan.policy.retention());
            } else if (verdict instanceof Probe.NotExecuted<?>) {
                return new Settlement.NotExecuted(
                        "a probe found no effect",
                        Retention.of(plan.policy.retention().keep()));
            }
            return new Settlement.Doubtful(new Failure("probe", "it could not tell"));
        } catch (Throwable e) {
            Log.warn(() -> "the probe for " + granted.address() + " threw; it stays in doubt", e);
            thrown = e;
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return new Settlement.Doubtful(Failure.of(e));
        }
    }
}
