package dev.idem.spi;

import dev.idem.Entry;
import java.time.Duration;

/** The answer to a claim: the key was granted, or the entry that stands in the way. */
public sealed interface Claim {
    /** The entry as it is after the claim. */
    Entry entry();

    /**
     * The claimer owns the key. {@link Entry#probing()} says whether it may only ask a probe, or may run the action.
     */
    record Granted(Entry entry) implements Claim {
        public Ticket ticket() {
            return entry.ticket();
        }
    }

    /** The operation is complete. The entry holds the result. */
    record Replay(Entry entry) implements Claim {}

    /** The operation failed, and the failure is kept; or this very attempt had failed before. */
    record ReplayedFailure(Entry entry) implements Claim {}

    /**
     * Another owner holds the key.
     *
     * @param leaseLeft zero when the lease is over but a child process of the owner still lives
     */
    record InFlight(Entry entry, Duration leaseLeft) implements Claim {}

    /** The key belongs to an operation with another identity. */
    record Conflict(Entry entry) implements Claim {}

    /**
     * It is unknown whether the effect took place.
     *
     * @param age how long ago the first claim was
     * @param probeIn how long until a probe may be asked; zero for now
     */
    record InDoubt(Entry entry, Doubt doubt, Duration age, Duration probeIn) implements Claim {}

    /** The retention of the settled entry is over, and a tombstone keeps the key from running again. */
    record Expired(Entry entry) implements Claim {}

    /** Calls the method of this case. The compiler makes sure that the caller handles all cases. */
    default <R> R match(Cases<R> cases) {
        if (this instanceof Granted granted) {
            return cases.granted(granted);
        } else if (this instanceof Replay replay) {
            return cases.replay(replay);
        } else if (this instanceof ReplayedFailure failure) {
            return cases.replayedFailure(failure);
        } else if (this instanceof InFlight inFlight) {
            return cases.inFlight(inFlight);
        } else if (this instanceof Conflict conflict) {
            return cases.conflict(conflict);
        } else if (this instanceof InDoubt inDoubt) {
            return cases.inDoubt(inDoubt);
        }
        return cases.expired((Expired) this);
    }

    /** One method for each answer. */
    interface Cases<R> {
        R granted(Granted granted);

        R replay(Replay replay);

        R replayedFailure(ReplayedFailure failure);

        R inFlight(InFlight inFlight);

        R conflict(Conflict conflict);

        R inDoubt(InDoubt inDoubt);

        R expired(Expired expired);
    }
}
