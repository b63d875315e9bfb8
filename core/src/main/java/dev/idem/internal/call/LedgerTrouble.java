package dev.idem.internal.call;

import dev.idem.LedgerException;
import dev.idem.internal.runtime.Log;
import java.util.function.Supplier;

/** Warns of trouble with the ledger: in one line, unless the exception is not one that a ledger is meant to throw. */
final class LedgerTrouble {
    private LedgerTrouble() {}

    static void warn(Supplier<String> line, Throwable cause) {
        if (cause instanceof LedgerException) {
            Log.warnInOneLine(line, cause);
        } else {
            Log.warn(line, cause);
        }
    }
}
