package dev.idem.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A ledger that can settle an entry in one transaction with the rows that an action writes into the same database.
 *
 * @param <C> the type of the connection, such as {@code java.sql.Connection}
 */
public interface Transactional<C> {
    /** The type of the connection. */
    Class<C> connectionType();

    /** Whether an open transaction blocks all other writers of the ledger, so that it must be short. */
    boolean exclusive();

    /**
     * Begins a transaction.
     *
     * @param connection the caller's own, or null for one of the ledger's
     * @throws IllegalArgumentException when entries can't be settled through that connection; the message says why
     */
    Transaction<C> begin(@Nullable C connection);

    /**
     * This ledger inside a transaction that the caller has begun and will end. Its entries exist only if that transaction
     * commits. To be closed after the call; that ends nothing.
     *
     * @param wait how long to wait for another transaction with the same entry
     * @throws IllegalArgumentException when entries can't be written through that connection; the message says why
     */
    Ledger within(C connection, Duration wait);

    /** Whether the open transaction of this connection keeps this ledger from writing anything on its own. */
    default boolean isBlockedBy(C connection) {
        return false;
    }

    /** A transaction, for the thread that has begun it. */
    interface Transaction<C> extends AutoCloseable {
        /** The connection for the action's writes. The action can't end the transaction with it. */
        C connection();

        /**
         * Settles as {@link Ledger#settle} does. Others see it after the commit.
         *
         * @throws dev.idem.LedgerException when it could not be written: the transaction is to be closed
         * @throws IllegalStateException when the transaction was ended behind the ledger's back
         */
        Settled settle(Ticket ticket, Settlement how);

        /**
         * Commits the rows and the settled entry.
         *
         * @throws dev.idem.LedgerUnavailableException when it is unknown whether the commit succeeded. To find
         *     out, settle the same ticket again: that waits until the transaction has ended, and answers with the
         *     entry as it is then
         */
        void commit();

        /**
         * Rolls back uncommitted writes and returns the connection. A second close does nothing.
         *
         * @throws IllegalStateException when the action itself has ended the transaction, so that nothing was left
         *     to roll back and earlier writes may be committed. The connection is returned all the same
         */
        @Override
        void close();
    }
}
