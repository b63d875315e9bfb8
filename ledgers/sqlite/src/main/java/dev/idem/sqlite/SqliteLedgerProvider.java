package dev.idem.sqlite;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.store.StoreLedger;

/**
 * Serves {@code sqlite:path}. Options: {@code busy=10s} (how long to wait for other processes
 * that write), {@code readers=4} (how many connections read at once).
 */
public final class SqliteLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public SqliteLedgerProvider() {}

    @Override
    public String scheme() {
        return "sqlite";
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return new StoreLedger(SqliteStore.open(SqliteOptions.parse(url), context), context.processes());
    }
}
