package dev.idem.spi;

/**
 * The environment of an opened ledger.
 *
 * @param clocks the time; ignored by ledgers that have a server's clock
 * @param processes tells whether processes of this host live; ignored by ledgers that serve many hosts
 * @param readOnly whether the ledger is only read: nothing is created, migrated or written, and no write permission is
 *     needed
 */
public record LedgerContext(Clocks clocks, Processes processes, boolean readOnly) {
    /** A context for reading and writing. */
    public LedgerContext(Clocks clocks, Processes processes) {
        this(clocks, processes, false);
    }

    /** The same context for a ledger that is only read. */
    public LedgerContext forReading() {
        return new LedgerContext(clocks, processes, true);
    }

    /** The clocks and processes of this host. */
    public static LedgerContext ofHost(Host host) {
        return new LedgerContext(host, host);
    }
}
