package dev.idem.torture.check;

/** How a call was answered. */
public enum Answer {
    DONE,
    REPLAYED,
    IN_FLIGHT,
    CONFLICT,
    IN_DOUBT,
    /** Nothing happened, by the ledger's word. */
    FAILED,
    /** Nothing happened, and the key will say so from now on. */
    KEPT_FAILURE,
    EXPIRED,
    UNAVAILABLE,
    /** No answer that the ledger stands behind: it could not be reached, or the ticket was stale. */
    NONE,
    /** Something was thrown that no caller is told to expect. */
    SURPRISE;

    /** Whether there is a value. */
    public boolean valued() {
        return this == DONE || this == REPLAYED;
    }
}
