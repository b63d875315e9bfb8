package dev.idem.spi.store;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;

/** Serves {@code memory:}. Each opening is a ledger of its own. */
public final class MemoryLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public MemoryLedgerProvider() {}

    @Override
    public String scheme() {
        return "memory";
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        if (!url.rest().isEmpty() || !url.options().isEmpty()) {
            throw new IllegalArgumentException("memory: takes no path and no options");
        }
        return new MemoryLedger(context);
    }
}
