package dev.idem.remote;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;

/** Serves {@code http://localhost:8080?token=file:token}, without TLS. */
public final class PlainHttpLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public PlainHttpLedgerProvider() {}

    @Override
    public String scheme() {
        return RemoteUrl.HTTP;
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return RemoteLedger.open(RemoteUrl.parse(url, System::getenv), context.readOnly());
    }
}
