/** Keys, entries, the ledger seam, the memory ledger and the engine. */
module dev.idem.core {
    requires static org.jspecify;
}
