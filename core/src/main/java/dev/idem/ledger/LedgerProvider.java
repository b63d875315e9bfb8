package dev.idem.ledger;

/** Opens ledgers of one URL scheme. Found through the service loader. */
public interface LedgerProvider {
    /** The scheme it serves, without a colon: {@code sqlite}. */
    String scheme();

    /**
     * Opens the ledger, creating it where it does not exist.
     *
     * @throws dev.idem.error.LedgerException when it can't be opened; the message says what to do
     * @throws IllegalArgumentException when the URL is malformed
     */
    Ledger open(LedgerUrl url, LedgerContext context);
}
