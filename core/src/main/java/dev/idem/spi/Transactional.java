package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/**
 * A ledger that can settle an entry in one transaction with the rows that an action writes into the same database.
 *
 * @param <C> what the action writes them through, such as {@code java.sql.Connection}
 */
public interface Transactional<C> {
    /** What the action writes its rows through. */
    Class<C> connectionType();

    /** Whether nobody else can write to the ledger while a transaction is open, so that it has to be short. */
    boolean exclusive();

    /**
     * Begins a transaction.
     *
     * @param connection the caller's own, or null for one of the ledger's
     * @throws IllegalArgumentException when entries can't be settled through that connection; the message says why
     */
    Transaction<C> begin(@Nullable C connection);

    /** A transaction, for the thread that has begun it. */
    interface Transaction<C> extends AutoCloseable {
        /** What the action writes through. It can't end the transaction with it. */
        C connection();

        /**
         * Settles as {@link Ledger#settle} does, to be known to others after the commit.
         *
         * @throws dev.idem.LedgerException when it could not be written: the transaction is to be closed
         * @throws IllegalStateException when the transaction was ended behind the ledger's back
         */
        Settled settle(Ticket ticket, Settlement how);

        /**
         * Commits what was written and settled.
         *
         * @throws dev.idem.LedgerUnavailableException when nobody knows whether it was committed. A settle of the
         *     same ticket tells: it waits until the transaction has ended, and is answered with what stands then
         */
        void commit();

        /**
         * Rolls back what was not committed, and gives the connection back. A second close does nothing.
         *
         * @throws IllegalStateException when there was nothing left to roll back, since the transaction was ended behind
         *     the ledger's back: what was written before may be there. The connection is given back all the same
         */
        @Override
        void close();
    }
}
