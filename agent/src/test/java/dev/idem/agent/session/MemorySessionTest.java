package dev.idem.agent.session;

import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.memory.MemoryLedger;

final class MemorySessionTest extends SessionContract {
    private final Ledger kept = new MemoryLedger(LedgerContext.ofHost(dev.idem.ledger.Host.system()));

    @Override
    Ledger open() {
        return kept;
    }

    @Override
    void close(Ledger opened) {
        // The entries of a memory ledger end with it.
    }
}
