package dev.idem.spi;

import dev.idem.Address;

/**
 * A ledger that can wake those who wait for an entry. Without it they poll.
 *
 * <p>A wake is a hint to look again; it may come without cause, and may be lost. Nobody announces that a lease has run
 * out.
 */
public interface Awaitable {
    /** Calls {@code wake} after changes to the entry, until the watch is closed. Subscribe first, then read. */
    Watch watch(Address address, Runnable wake);

    /** A subscription. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
