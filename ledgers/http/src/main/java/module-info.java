/** The ledger behind a server, over HTTP. */
module dev.idem.remote {
    requires transitive dev.idem.core;
    requires java.net.http;
    requires static org.jspecify;

    exports dev.idem.remote;

    provides dev.idem.spi.LedgerProvider with
            dev.idem.remote.PlainHttpLedgerProvider,
            dev.idem.remote.HttpsLedgerProvider,
            dev.idem.remote.SocketLedgerProvider;
}
