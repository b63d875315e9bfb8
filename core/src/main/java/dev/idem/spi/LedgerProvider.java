package dev.idem.spi;

/** Opens ledgers of one URL scheme. Found through the service loader. */
public interface LedgerProvider {
    /** The scheme it serves, without a colon: {@code sqlite}. */
    String scheme();

    /**
     * Opens the ledger and creates it where it does not exist. It does not create the folder of a file: a mistyped path
     * would silently become an empty ledger.
     *
     * @throws dev.idem.LedgerException when it can't be opened; the message says what to do
     * @throws IllegalArgumentException when the URL is malformed
     */
    Ledger open(LedgerUrl url, LedgerContext context);
}
