package dev.idem.clikit;

import dev.idem.LedgerUnavailableException;
import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;

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
