package dev.idem.remote;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;

/** Serves {@code https://idem.internal?token=env:IDEM_TOKEN}. */
public final class HttpsLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public HttpsLedgerProvider() {}

    @Override
    public String scheme() {
        return RemoteUrl.HTTPS;
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return RemoteLedger.open(RemoteUrl.parse(url, System::getenv), context.readOnly());
    }
}
