package dev.idem.torture.check;

import java.util.Set;

/** The log of one ticket that was allowed to act. */
final class Attempt {
    final long fence;
    final String call;
    private final Set<Promise> promises;
    boolean effect;
    boolean threwDefinite;

    Attempt(long fence, String call, Set<Promise> promises) {
        this.fence = fence;
        this.call = call;
        this.promises = promises;
    }

    boolean transacted() {
        return promises.contains(Promise.TRANSACTED);
    }

    boolean brief() {
        return promises.contains(Promise.BRIEF);
    }

    boolean tombstoned() {
        return promises.contains(Promise.TOMBSTONED);
    }

    boolean safe() {
        return promises.contains(Promise.SAFE);
    }

    /** Whether a ledger can know that it had no effect, without asking the world. */
    boolean harmless() {
        return transacted() || (!effect && (threwDefinite || promises.contains(Promise.STAGED)));
    }

    @Override
    public String toString() {
        return "attempt " + fence + " of " + call + (effect ? ", which took effect" : "");
    }
}
