package dev.idem.spi;

/** The transaction of another writer holds an address that has no row yet. {@link EntryStore#insert} wrote nothing. */
public final class RowLockedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public RowLockedException(Throwable cause) {
        super(cause);
    }
}
