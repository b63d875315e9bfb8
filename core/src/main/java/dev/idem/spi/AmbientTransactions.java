package dev.idem.spi;

import dev.idem.LedgerException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The transactions that a framework begins and ends around calls, for instance those of Spring. Thread-safe. */
@FunctionalInterface
public interface AmbientTransactions {
    /** No framework has transactions. */
    AmbientTransactions NONE = () -> null;

    /** The transaction that this thread is in; null where there is none. */
    @Nullable
    Ambient current();

    /** A transaction that the framework will commit or roll back, for the thread that is in it. */
    interface Ambient {
        /** The database connections of the transaction, in which nothing was committed so far. */
        List<?> connections();

        /** Whether a connection of this transaction is one of the other transaction too. */
        boolean shares(Ambient other);

        /** Whether the transaction promises to write nothing. */
        boolean isReadOnly();

        /**
         * Runs a check before the commit. If the check throws, the transaction is rolled back instead, and the code that
         * wanted to commit gets an exception. A check that belongs to a nested transaction which was rolled back does not
         * run.
         */
        void beforeCommit(Runnable check);

        /** Runs the code after the commit; never after a rollback, nor when the end is unknown. */
        void afterCommit(Runnable code);

        /** Makes sure that the transaction is rolled back, and that the code that wants to commit it gets an exception. */
        void setRollbackOnly();

        /** The exception to throw when the ledger could not write in this transaction. */
        RuntimeException translated(LedgerException e);
    }
}
