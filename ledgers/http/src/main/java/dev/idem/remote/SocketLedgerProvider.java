package dev.idem.remote;

import dev.idem.spi.Ledger;
import dev.idem.spi.LedgerContext;
import dev.idem.spi.LedgerProvider;
import dev.idem.spi.LedgerUrl;

/** Serves {@code http+unix:/path}, the unix socket of a server of the same user. */
public final class SocketLedgerProvider implements LedgerProvider {
    /** For the service loader. */
    public SocketLedgerProvider() {}

    @Override
    public String scheme() {
        return RemoteUrl.SOCKET;
    }

    @Override
    public Ledger open(LedgerUrl url, LedgerContext context) {
        return RemoteLedger.open(RemoteUrl.parse(url, System::getenv), context.readOnly());
    }
}
