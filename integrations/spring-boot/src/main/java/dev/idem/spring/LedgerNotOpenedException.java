package dev.idem.spring;

/** The ledger of {@code idem.ledger} can't be opened. */
final class LedgerNotOpenedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The message of the cause names the ledger without its password. */
    LedgerNotOpenedException(RuntimeException cause) {
        super("the ledger of idem.ledger can't be opened: " + cause.getMessage(), cause);
    }
}
