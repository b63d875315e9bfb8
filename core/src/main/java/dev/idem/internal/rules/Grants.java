package dev.idem.internal.rules;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Doubt;
import dev.idem.spi.Fence;
import dev.idem.spi.Mark;
import dev.idem.spi.Moment;
import dev.idem.spi.Tenure;
import dev.idem.spi.Times;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the entry of a granted claim. Every grant clears the expiry. */
final class Grants {
    private Grants() {}

    /** The first grant of the key. */
    static Entry first(ClaimRequest request, Moment now, Fence fence) {
        Tenure tenure = acting(request, now, fence, limit(request, now), List.of());
        return entry(request, now, fence, now.wall(), 1, tenure, null, 0);
    }

    /** A grant over a complete entry that is run again on purpose: the first grant of a new life. */
    static Entry anew(Entry seen, ClaimRequest request, Moment now, Fence fence) {
        return first(known(request, seen), now, fence);
    }

    /** A grant after an attempt that certainly had no effect: everything starts again. */
    static Entry again(Entry seen, ClaimRequest request, Moment now, Fence fence) {
        Tenure tenure = acting(request, now, fence, limit(request, now), List.of());
        return entry(
                known(request, seen),
                now,
                fence,
                seen.times().created(),
                seen.attempt() + 1,
                tenure,
                null,
                seen.replays());
    }

    /** A grant to run again in doubt. The doubt, the marks and the limit of the doubted attempt stay. */
    static Entry rerun(Entry seen, ClaimRequest request, Moment now, Fence fence) {
        Moment doubted = seen.tenure().limit();
        Moment own = limit(request, now);
        Tenure tenure = acting(
                request,
                now,
                fence,
                own.isBefore(doubted) ? doubted : own,
                seen.tenure().marks());
        return entry(
                known(request, seen),
                now,
                fence,
                seen.times().created(),
                seen.attempt() + 1,
                tenure,
                seen.doubt(),
                seen.replays());
    }

    /**
     * A grant to probe in doubt. The doubted attempt stays the last one that acted, and its fingerprints stay, since
     * the probe may find its result.
     */
    static Entry probe(Entry seen, ClaimRequest request, Moment now, Fence fence) {
        Tenure old = seen.tenure();
        Tenure tenure = new Tenure(
                request.attemptId(),
                request.owner(),
                now.plus(request.lease()),
                old.acted(),
                old.limit(),
                old.staged(),
                old.marks());
        return new Entry(
                seen.address(),
                State.IN_PROGRESS,
                fence,
                seen.attempt(),
                seen.fingerprints().identity() == null ? request.fingerprints() : seen.fingerprints(),
                seen.parent(),
                seen.labels(),
                tenure,
                seen.doubt(),
                new Times(seen.times().created(), now.wall(), null, null),
                seen.replays(),
                null);
    }

    /** Keeps the stored identity where the claimer has none. */
    private static ClaimRequest known(ClaimRequest request, Entry seen) {
        return request.fingerprints().identity() == null ? request.withFingerprints(seen.fingerprints()) : request;
    }

    private static Moment limit(ClaimRequest request, Moment now) {
        return now.plus(request.timeLimit());
    }

    private static Tenure acting(ClaimRequest request, Moment now, Fence fence, Moment limit, List<Mark> marks) {
        return new Tenure(
                request.attemptId(), request.owner(), now.plus(request.lease()), fence, limit, request.staged(), marks);
    }

    private static Entry entry(
            ClaimRequest request,
            Moment now,
            Fence fence,
            Instant created,
            int attempt,
            Tenure tenure,
            @Nullable Doubt doubt,
            long replays) {
        return new Entry(
                request.address(),
                State.IN_PROGRESS,
                fence,
                attempt,
                request.fingerprints(),
                request.parent(),
                request.labels(),
                tenure,
                doubt,
                new Times(created, now.wall(), null, null),
                replays,
                null);
    }
}
