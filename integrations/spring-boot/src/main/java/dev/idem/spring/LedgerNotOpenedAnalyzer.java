package dev.idem.spring;

import dev.idem.LedgerException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a ledger that can't be opened in place of a stack trace. */
final class LedgerNotOpenedAnalyzer extends AbstractFailureAnalyzer<LedgerNotOpenedException> {
    @Override
    protected FailureAnalysis analyze(Throwable root, LedgerNotOpenedException cause) {
        String message = String.valueOf(cause.getMessage());
        return new FailureAnalysis(
                Character.toUpperCase(message.charAt(0)) + message.substring(1),
                cause.getCause() instanceof LedgerException
                        ? "Check that the file or the server of idem.ledger is there, and that this process may write to it."
                        : "Set the property idem.ledger to the URL of a ledger, for instance sqlite:/var/lib/shop/idem.db or"
                                + " postgresql://user@host/database, and add the module of that ledger.",
                root);
    }
}
