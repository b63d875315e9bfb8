package dev.idem;

import org.jspecify.annotations.Nullable;

/** The ledger did not do its part. */
public abstract class LedgerException extends IdemException {
    private static final long serialVersionUID = 1;

    LedgerException(String message, @Nullable Throwable cause) {
        super(null, message, cause);
    }
}
