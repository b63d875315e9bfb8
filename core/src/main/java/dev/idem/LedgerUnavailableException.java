package dev.idem;

import org.jspecify.annotations.Nullable;

/**
 * The ledger could not be reached, or gave no answer. A write may or may not have been made. Retry it with the same
 * attempt id or ticket.
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
