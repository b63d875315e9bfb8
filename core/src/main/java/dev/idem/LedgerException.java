package dev.idem;

import org.jspecify.annotations.Nullable;

/** The root of exceptions about the ledger: it can't be reached, can't be read, or did not record an outcome. */
public abstract class LedgerException extends IdemException {
    private static final long serialVersionUID = 1;

    LedgerException(String message, @Nullable Throwable cause) {
        super(null, message, cause);
    }
}
