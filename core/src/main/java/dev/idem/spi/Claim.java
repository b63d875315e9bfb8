package dev.idem.spi;

import dev.idem.Entry;
import java.time.Duration;

/** The answer to a claim: who has the key, and what is known. */
public sealed interface Claim {
    /** The entry as it is after the claim. */
    Entry entry();

    /**
     * The key is yours. {@link Entry#probing()} says whether only a probe may be asked, or the action may run.
     */
    record Granted(Entry entry) implements Claim {
        public Ticket ticket() {
            return entry.ticket();
        }
    }

    /** It is complete; here is the result. */
    record Replay(Entry entry) implements Claim {}

    /** It failed, and the failure is kept. */
    record ReplayedFailure(Entry entry) implements Claim {}

    /**
     * Another ticket is alive.
     *
     * @param leaseLeft zero when the lease is over but a child process of the owner still lives
     */
    record InFlight(Entry entry, Duration leaseLeft) implements Claim {}

    /** The key was used for something else. */
    record Conflict(Entry entry) implements Claim {}

    /**
     * Nobody knows whether it happened.
     *
     * @param age how long ago the first claim was
     * @param probeIn how long until a probe may be asked; zero for now
     */
    record InDoubt(Entry entry, Doubt doubt, Duration age, Duration probeIn) implements Claim {}

    /** It was settled, its retention is over, and a tombstone keeps the key from running again. */
    record Expired(Entry entry) implements Claim {}

    /** Calls the one case that fits, so that a caller handles all of them. */
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
