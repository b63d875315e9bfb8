package dev.idem.error;

import dev.idem.entry.Entry;
import java.time.Duration;

/** Somebody else is running this operation right now. Nothing was run by this call. */
public final class InFlightException extends EntryException {
    private static final long serialVersionUID = 1;

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

    /** How long the holder is trusted without a heartbeat. */
    public Duration leaseLeft() {
        return leaseLeft;
    }

    @Override
    public boolean mayTryAgain() {
        return true;
    }
}
