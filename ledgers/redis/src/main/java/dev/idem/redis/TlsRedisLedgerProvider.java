package dev.idem.redis;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;
import dev.idem.spi.store.StoreLedger;

/** Serves {@code rediss://}: Redis through TLS. */
public final class TlsRedisLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public TlsRedisLedgerProvider() {}

    @Override
    public String scheme() {
        return RedisOptions.TLS;
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return new StoreLedger(RedisStore.open(RedisUrl.parse(url), ServerClock.ofServer()), context.processes());
    }
}
