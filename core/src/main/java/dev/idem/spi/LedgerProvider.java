package dev.idem.spi;

/** Opens ledgers of one URL scheme. Found through the service loader. */
public interface LedgerProvider {
    /** The scheme it serves, without a colon: {@code sqlite}. */
    String scheme();

    /**
     * Opens the ledger, creating it where it does not exist; but not the folder of a file, since a mistyped path would
     * be an empty ledger.
     *
     * @throws dev.idem.LedgerException when it can't be opened; the message says what to do
     * @throws IllegalArgumentException when the URL is malformed
     */
    Ledger open(LedgerUrl url, LedgerContext context);
}
