package dev.idem.clikit;

import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.LedgerProvider;
import dev.idem.ledger.LedgerUrl;

/** The URL {@code unclosable:} names a ledger that can't be closed. */
public final class UnclosableLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public UnclosableLedgerProvider() {}

    @Override
    public String scheme() {
        return "unclosable";
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return new BrokenLedger(new LedgerUnavailableException("gone", null));
    }
}
