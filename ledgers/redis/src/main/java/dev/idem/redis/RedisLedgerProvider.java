package dev.idem.redis;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.store.StoreLedger;

/** Serves {@code redis://user:password@host:port/database}; {@code rediss://} is the same through TLS. */
public final class RedisLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public RedisLedgerProvider() {}

    @Override
    public String scheme() {
        return RedisOptions.PLAIN;
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return new StoreLedger(RedisStore.open(RedisUrl.parse(url), ServerClock.ofServer()), context.processes());
    }
}
