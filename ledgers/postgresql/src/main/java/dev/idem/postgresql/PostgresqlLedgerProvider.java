package dev.idem.postgresql;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;

/**
 * Serves {@code postgresql://user:password@host:5432/database}. Options: {@code schema=idem}, {@code pool=8} (how many
 * connections), {@code timeout=5s} (how long to wait for one), {@code lock=2s} (how long to wait for another
 * transaction that holds an entry), {@code notify=on|off}, {@code migrate=on|off}, and every property of the driver,
 * such as {@code sslmode=verify-full} or {@code prepareThreshold=0}.
 */
public final class PostgresqlLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public PostgresqlLedgerProvider() {}

    @Override
    public String scheme() {
        return PostgresqlUrl.SCHEME;
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return PostgresqlLedger.open(PostgresqlUrl.parse(url), context);
    }
}
