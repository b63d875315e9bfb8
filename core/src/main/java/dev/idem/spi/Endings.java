package dev.idem.spi;

import dev.idem.Entry;
import dev.idem.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Makes the entry of an attempt that has ended, by its owner's word, by a lapse or by a person's. */
final class Endings {
    private Endings() {}

    /** The current ticket settles its own attempt. */
    static Entry of(Entry found, Settlement how, Moment now) {
        if (how instanceof Settlement.Completed) {
            return completed(found, how, now);
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            // Only the ticket of a probe can know what the doubted attempt has done.
            return found.probing() || found.doubt() == null
                    ? ended(found, State.FAILED, how, notExecuted.retention(), null, actedNow(found), now)
                    : stillDoubted(found, new Failure("not_executed", notExecuted.evidence()), found.doubt(), now);
        } else if (how instanceof Settlement.Failed failed) {
            Doubt doubt = found.doubt();
            // A failure after a take-over says nothing of the earlier attempt: doubt is sticky.
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

    /** The attempt was seen to end, so that it can't act any more. An earlier attempt could: then the limit stands. */
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

    /** A person has found out. Raises the fence, so that no older ticket can speak any more. */
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

    /** Whether a lapse of this entry is known to have done nothing: it promised a mark, and left none. */
    static boolean harmless(Entry entry) {
        return entry.tenure().staged() && entry.tenure().marks().isEmpty() && entry.doubt() == null;
    }

    static Entry lapsedHarmlessly(Entry entry) {
        Settlement how = new Settlement.NotExecuted("it ended before its first mark", Retention.DEFAULT);
        return with(entry, State.FAILED, entry.tenure(), null, entry.times(), how);
    }

    static Entry lapsed(Entry entry, String why, Instant since) {
        Doubt doubt = entry.doubt() != null ? entry.doubt() : new Doubt(why, since);
        return with(entry, State.IN_DOUBT, entry.tenure(), doubt, entry.times(), null);
    }

    /** An expired entry without what it remembered. */
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
        return with(found, state, tenure, doubt, times, how);
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
