package dev.idem.jsonl;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.store.StoreLedger;

/** Serves {@code jsonl:path}. It takes no options. */
public final class JsonlLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public JsonlLedgerProvider() {}

    @Override
    public String scheme() {
        return "jsonl";
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return new StoreLedger(JsonlStore.open(JsonlOptions.parse(url), context), context.processes());
    }
}
