package dev.idem;

import org.jspecify.annotations.Nullable;

/** The ledger or an entry in it can't be read. Idem never treats such an entry as absent. */
public final class LedgerUnreadableException extends LedgerException {
    private static final long serialVersionUID = 1;

    public LedgerUnreadableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public boolean mayTryAgain() {
        return false;
    }
}
