/** The ledger in a JSON Lines file. */
module dev.idem.jsonl {
    requires transitive dev.idem.core;
    requires static org.jspecify;

    exports dev.idem.jsonl;

    provides dev.idem.spi.LedgerProvider with
            dev.idem.jsonl.JsonlLedgerProvider;
}
