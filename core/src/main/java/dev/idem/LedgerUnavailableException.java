package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * The ledger could not be reached, or gave no answer. What was asked of it may or may not have been written, so it is
 * asked again with the same attempt id or ticket.
 */
public final class LedgerUnavailableException extends LedgerException {
    private static final long serialVersionUID = 1;

    public LedgerUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public boolean mayTryAgain() {
        return true;
    }
}
