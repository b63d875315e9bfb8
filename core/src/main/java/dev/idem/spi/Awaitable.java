package dev.idem.spi;

import dev.idem.Address;

/**
 * A ledger that can wake callers that wait for an entry. On other ledgers, waiting callers poll.
 *
 * <p>A wake is a hint to read the entry again. It may come without a change, and it may be lost. The end of a lease
 * causes no wake.
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
