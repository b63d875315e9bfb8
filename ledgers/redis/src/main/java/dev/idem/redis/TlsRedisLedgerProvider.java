package dev.idem.redis;

import dev.idem.ledger.Ledger;
import dev.idem.ledger.LedgerContext;
import dev.idem.ledger.LedgerProvider;
import dev.idem.ledger.LedgerUrl;
import dev.idem.spi.StoreLedger;

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
