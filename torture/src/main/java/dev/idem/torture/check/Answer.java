package dev.idem.torture.check;

/** How a call was answered. */
public enum Answer {
    DONE,
    REPLAYED,
    /** A replay from a Redis master whose replica need not have it yet: a failover may leave a doubt instead. */
    UNCONFIRMED,
    IN_FLIGHT,
    CONFLICT,
    IN_DOUBT,
    /** Nothing happened, according to the ledger. */
    FAILED,
    /** Nothing happened, and the failure is kept for later callers. */
    KEPT_FAILURE,
    EXPIRED,
    UNAVAILABLE,
    /** No valid answer: the ledger could not be reached, or the ticket was stale. */
    NONE,
    /** An unexpected exception. */
    SURPRISE;

    /** Whether there is a value. */
    public boolean valued() {
        return this == DONE || this == REPLAYED || this == UNCONFIRMED;
    }
}
