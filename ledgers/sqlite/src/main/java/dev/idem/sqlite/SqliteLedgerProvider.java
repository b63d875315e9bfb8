package dev.idem.sqlite;

import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.LedgerProvider;
import dev.idem.ledger.LedgerUrl;

/**
 * Serves {@code sqlite:path}. Options: {@code trail=on|off}, {@code busy=10s} (how long to wait for other processes
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
        return SqliteLedger.open(SqliteOptions.parse(url), context);
    }
}
