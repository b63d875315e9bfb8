package dev.idem.ledger;

import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.entry.Tenure;
import dev.idem.entry.Times;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the entry of a granted claim. Every grant clears the expiry. */
final class Grants {
    private Grants() {}

    /** Nobody has had the key before. */
    static Entry first(ClaimRequest request, Moment now, Fence fence) {
        return entry(request, now, fence, now.wall(), 1, acting(request, now, fence, List.of()), null, 0);
    }

    /** The last attempt is known to have done nothing: start again. */
    static Entry again(Entry seen, ClaimRequest request, Moment now, Fence fence) {
        Tenure tenure = acting(request, now, fence, List.of());
        return entry(request, now, fence, seen.times().created(), seen.attempt() + 1, tenure, null, seen.replays());
    }

    /** In doubt, and safe to run again: the doubt and the marks stay. */
    static Entry rerun(Entry seen, ClaimRequest request, Moment now, Fence fence) {
        Tenure tenure = acting(request, now, fence, seen.tenure().marks());
        return entry(
                request, now, fence, seen.times().created(), seen.attempt() + 1, tenure, seen.doubt(), seen.replays());
    }

    /** In doubt, and to be probed: the doubted attempt stays the one that acted last. */
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
        return entry(request, now, fence, seen.times().created(), seen.attempt(), tenure, seen.doubt(), seen.replays());
    }

    private static Tenure acting(ClaimRequest request, Moment now, Fence fence, List<Mark> marks) {
        return new Tenure(
                request.attemptId(),
                request.owner(),
                now.plus(request.lease()),
                fence,
                now.plus(request.timeLimit()),
                request.staged(),
                marks);
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
