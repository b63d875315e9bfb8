package dev.idem.agent.session;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.store.MemoryLedger;

final class MemorySessionTest extends SessionContract {
    private final Ledger kept = new MemoryLedger(LedgerContext.ofHost(dev.idem.spi.Host.system()));

    @Override
    Ledger open() {
        return kept;
    }

    @Override
    void close(Ledger opened) {
        // The entries of a memory ledger end with it.
    }
}
