package dev.idem.clikit;

/** The source of the idempotency key of a command. */
public enum KeyRule {
    /**
     * From {@code --idempotency-key}, else derived from session, command and arguments. Without a session a retry looks
     * like a new call, so a call that has neither is refused.
     */
    DERIVED,
    /** From {@code --idempotency-key} alone. */
    REQUIRED
}
