package dev.idem.ledger;

/**
 * What an opened ledger is given from outside.
 *
 * @param clocks the time; ignored by ledgers that have a server's clock
 * @param processes tells whether processes of this host live; ignored by ledgers that serve many hosts
 */
public record LedgerContext(Clocks clocks, Processes processes) {
    /** The clocks and processes of this host. */
    public static LedgerContext ofHost(Host host) {
        return new LedgerContext(host, host);
    }
}
