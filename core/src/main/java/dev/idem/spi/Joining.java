package dev.idem.spi;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A store that can write its rows in one transaction with rows of an application.
 *
 * @param <C> the type of the connection, such as {@code java.sql.Connection}
 */
public interface Joining<C> {
    Class<C> connectionType();

    /** Whether an open transaction blocks all other writers of the store, so that it must be short. */
    boolean exclusive();

    /**
     * Begins a transaction.
     *
     * @param connection the caller's own, or null for one of the store's
     * @throws IllegalArgumentException when rows can't be written through that connection; the message says why
     */
    Joined<C> join(@Nullable C connection);

    /** The store inside a transaction of the caller; see {@link Transactional#within}. */
    EntryStore within(C connection, Duration wait);

    /** Whether the open transaction of this connection blocks this store; see {@link Transactional#isBlockedBy}. */
    default boolean isBlockedBy(C connection) {
        return false;
    }

    /** An open transaction, for the thread that has begun it. */
    interface Joined<C> extends AutoCloseable {
        /** The connection for the application's writes. The application can't end the transaction with it. */
        C connection();

        /** The store inside the transaction: only reads and replaces. */
        EntryStore store();

        /** Commits; see {@link dev.idem.spi.Transactional.Transaction#commit()}. */
        void commit();

        /** Rolls back uncommitted writes; see {@link dev.idem.spi.Transactional.Transaction#close()}. */
        @Override
        void close();
    }
}
