package dev.idem.sqlite;

import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.LedgerProvider;
import dev.idem.ledger.LedgerUrl;
import dev.idem.spi.StoreLedger;

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
