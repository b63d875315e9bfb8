package dev.idem.spi;

import org.jspecify.annotations.Nullable;

/**
 * A store that can write its rows in one transaction with rows of an application.
 *
 * @param <C> what the application writes through, such as {@code java.sql.Connection}
 */
public interface Joining<C> {
    Class<C> connectionType();

    /** Whether nobody else can write to the store while a transaction is open, so that it has to be short. */
    boolean exclusive();

    /**
     * Begins a transaction.
     *
     * @param connection the caller's own, or null for one of the store's
     * @throws IllegalArgumentException when rows can't be written through that connection; the message says why
     */
    Joined<C> join(@Nullable C connection);

    /** An open transaction, for the thread that has begun it. */
    interface Joined<C> extends AutoCloseable {
        /** What the application writes through. It can't end the transaction with it. */
        C connection();

        /** The store inside the transaction: only reads and replaces. */
        EntryStore store();

        /** Commits; see {@link dev.idem.spi.Transactional.Transaction#commit()}. */
        void commit();

        /** Rolls back what was not committed; see {@link dev.idem.spi.Transactional.Transaction#close()}. */
        @Override
        void close();
    }
}
