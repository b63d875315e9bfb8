package dev.idem.internal.rules;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Fence;
import dev.idem.spi.Moment;
import dev.idem.spi.Result;
import dev.idem.spi.Retention;
import dev.idem.spi.Settlement;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes the entry of an ended attempt: settled by its owner, lapsed, or resolved by a person. */
final class Endings {
    private Endings() {}

    /** The current ticket settles its own attempt. */
    static Entry of(Entry found, Settlement how, Moment now) {
        if (how instanceof Settlement.Completed) {
            return completed(found, how, now);
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            // Only a probe can know the effect of the doubted attempt.
            return found.probing() || found.doubt() == null
                    ? ended(found, State.FAILED, how, notExecuted.retention(), null, actedNow(found), now)
                    : stillDoubted(found, new Failure("not_executed", notExecuted.evidence()), found.doubt(), now);
        } else if (how instanceof Settlement.Failed failed) {
            Doubt doubt = found.doubt();
            // A failure after a take-over proves nothing about the earlier attempt: the doubt stays.
            return doubt == null
                    ? ended(found, State.FAILED, how, failed.retention(), null, found.tenure(), now)
                    : stillDoubted(found, failed.failure(), doubt, now);
        }
        Settlement.Doubtful doubtful = (Settlement.Doubtful) how;
        if (found.doubt() != null) {
            return stillDoubted(found, doubtful.failure(), found.doubt(), now);
        }
        Doubt doubt = new Doubt("the action ended with " + doubtful.failure().type(), now.wall());
        Tenure tenure = doubtful.ended() ? endedNow(found.tenure(), now) : found.tenure();
        return ended(found, State.IN_DOUBT, new Settlement.Doubtful(doubtful.failure()), null, doubt, tenure, now);
    }

    /**
     * Shortens the limit of an attempt that was seen to end. The limit stays where an earlier attempt may still act.
     */
    private static Tenure endedNow(Tenure old, Moment now) {
        return now.isBefore(old.limit())
                ? new Tenure(old.attemptId(), old.owner(), old.lease(), old.acted(), now, old.staged(), old.marks())
                : old;
    }

    private static Entry stillDoubted(Entry found, Failure failure, Doubt doubt, Moment now) {
        return ended(found, State.IN_DOUBT, new Settlement.Doubtful(failure), null, doubt, found.tenure(), now);
    }

    static Entry completed(Entry found, Settlement how, Moment now) {
        Retention retention = ((Settlement.Completed) how).retention();
        return ended(found, State.COMPLETE, how, retention, null, found.tenure(), now);
    }

    /** Applies a person's resolution. Raises the fence, so that all older tickets are refused. */
    static Entry resolved(Entry seen, Settlement how, Moment now, Fence fence) {
        Entry raised = new Entry(
                seen.address(),
                State.IN_PROGRESS,
                fence,
                seen.attempt(),
                seen.fingerprints(),
                seen.parent(),
                seen.labels(),
                acted(seen.tenure(), fence),
                how instanceof Settlement.Doubtful ? seen.doubt() : null,
                seen.times(),
                seen.replays(),
                null);
        return of(raised, how, now);
    }

    /** Whether the lapsed attempt certainly had no effect: it promised a mark before it acts, and left none. */
    static boolean harmless(Entry entry) {
        return entry.tenure().staged() && entry.tenure().marks().isEmpty() && entry.doubt() == null;
    }

    static Entry lapsedHarmlessly(Entry entry) {
        Settlement how = new Settlement.NotExecuted("it ended before its first mark", Retention.DEFAULT);
        return with(entry, State.FAILED, entry.tenure(), null, entry.times(), how);
    }

    static Entry lapsed(Entry entry, Doubt lapse) {
        Doubt doubt = entry.doubt() != null ? entry.doubt() : lapse;
        return with(entry, State.IN_DOUBT, entry.tenure(), doubt, entry.times(), null);
    }

    /** An expired entry without its result. */
    static Entry tombstone(Entry entry) {
        Settlement bare = entry.settlement();
        if (bare instanceof Settlement.Completed completed) {
            bare = completed.withResult(new Result.Unavailable("it has expired"));
        }
        return with(entry, State.EXPIRED, entry.tenure(), null, entry.times(), bare);
    }

    private static Tenure actedNow(Entry found) {
        return acted(found.tenure(), found.fence());
    }

    private static Tenure acted(Tenure old, Fence fence) {
        return new Tenure(old.attemptId(), old.owner(), old.lease(), fence, old.limit(), old.staged(), old.marks());
    }

    private static Entry ended(
            Entry found,
            State state,
            Settlement how,
            @Nullable Retention retention,
            @Nullable Doubt doubt,
            Tenure tenure,
            Moment now) {
        Instant expires = retention == null ? null : now.wall().plus(retention.keep());
        Times times = new Times(found.times().created(), found.times().claimed(), now.wall(), expires);
        return with(found, state, over(tenure, now), doubt, times, how);
    }

    /** The lease ends with the attempt. So it tells when the entry was settled, by both clocks. */
    private static Tenure over(Tenure old, Moment now) {
        return new Tenure(old.attemptId(), old.owner(), now, old.acted(), old.limit(), old.staged(), old.marks());
    }

    static Entry with(
            Entry entry,
            State state,
            Tenure tenure,
            @Nullable Doubt doubt,
            Times times,
            @Nullable Settlement settlement) {
        return new Entry(
                entry.address(),
                state,
                entry.fence(),
                entry.attempt(),
                entry.fingerprints(),
                entry.parent(),
                entry.labels(),
                tenure,
                doubt,
                times,
                entry.replays(),
                settlement);
    }
}
