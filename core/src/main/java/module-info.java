/** Keys, entries, the ledger seam, the memory ledger and the engine. */
module dev.idem.core {
    requires static org.jspecify;

    exports dev.idem;
    exports dev.idem.call;
    exports dev.idem.codec;
    exports dev.idem.entry;
    exports dev.idem.error;
    exports dev.idem.json;
    exports dev.idem.key;
    exports dev.idem.ledger;
    exports dev.idem.memory;
    exports dev.idem.request;
    exports dev.idem.seal;
    exports dev.idem.spi;

    uses dev.idem.ledger.LedgerProvider;

    provides dev.idem.ledger.LedgerProvider with
            dev.idem.memory.MemoryLedgerProvider;
}
