package dev.idem;

import java.time.Duration;

/** Another owner is running this operation right now. This call ran nothing. */
public final class InFlightException extends EntryException {
    private static final long serialVersionUID = 1;

    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Duration leaseLeft;

    public InFlightException(Entry entry, Duration leaseLeft) {
        super(
                entry,
                entry.address() + " is in flight: " + entry.tenure().owner().name() + " holds it (attempt "
                        + entry.attempt() + ", fence " + entry.fence() + ") and its lease runs for another "
                        + leaseLeft.toMillis() + " ms. Nothing was run; call again later, or wait longer",
                null);
        this.leaseLeft = leaseLeft;
    }

    /** The time until the owner's lease ends, unless a heartbeat renews it. */
    public Duration leaseLeft() {
        return leaseLeft;
    }

    /**
     * How long to wait before the same call is made again: at most 5 s. A lease is renewed while its owner lives, so it
     * does not tell when the owner will be done.
     */
    public Duration retryAfter() {
        if (leaseLeft.isZero() || leaseLeft.compareTo(LONGEST_PAUSE) > 0) {
            return LONGEST_PAUSE;
        }
        return leaseLeft.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : leaseLeft;
    }

    @Override
    public boolean mayTryAgain() {
        return true;
    }
}
