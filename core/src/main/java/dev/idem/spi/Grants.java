package dev.idem.spi;

import dev.idem.Entry;
import dev.idem.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the entry of a granted claim. Every grant clears the expiry. */
final class Grants {
    private Grants() {}

    /** Nobody has had the key before. */
    static Entry first(ClaimRequest request, Moment now, Fence fence) {
        Tenure tenure = acting(request, now, fence, limit(request, now), List.of());
        return entry(request, now, fence, now.wall(), 1, tenure, null, 0);
    }

    /** The last attempt is known to have done nothing: start again. */
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

    /** In doubt, and safe to run again: the doubt and the marks stay, and the limit until which anyone may act. */
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
     * In doubt, and to be probed: the doubted attempt stays the one that acted last, and what it was for stays as it
     * was, since its result may yet be found.
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

    /** A claimer that knows no identity does not make the entry forget the one it has. */
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
