package dev.idem.internal.call;

import dev.idem.LedgerException;
import dev.idem.spi.AmbientTransactions.Ambient;
import dev.idem.spi.Ledger;
import dev.idem.spi.Ticket;
import java.util.function.Supplier;

/** A transaction of a framework that a call has joined: its entry exists if and only if the transaction commits. */
final class JoinedTransaction implements AutoCloseable {
    private final Ambient transaction;
    private final Supplier<Ledger> inside;
    private final Ledger ledger;
    private boolean takenBack;

    /**
     * Opens the ledger inside the transaction.
     *
     * @param inside opens it each time
     * @throws IllegalArgumentException when entries can't be written in this transaction; the message says why
     */
    JoinedTransaction(Ambient transaction, Supplier<Ledger> inside) {
        this.transaction = transaction;
        this.inside = inside;
        this.ledger = inside.get();
    }

    /** The ledger inside the transaction, for the time of the call. */
    Ledger ledger() {
        return ledger;
    }

    /**
     * Looks for the entry again before the commit. In a transaction that an error has aborted the look fails, and the commit
     * is refused: some drivers would roll back and tell of no error. An entry that a savepoint has taken back is not told to
     * listeners.
     */
    void granted(Ticket ticket) {
        transaction.beforeCommit(() -> {
            try (Ledger again = inside.get()) {
                takenBack = again.find(ticket.address())
                        .filter(entry -> entry.ticket().equals(ticket))
                        .isEmpty();
            }
        });
    }

    /** Publishes an event after the commit. */
    void publish(Runnable event) {
        transaction.afterCommit(() -> {
            if (!takenBack) {
                event.run();
            }
        });
    }

    /** Keeps the transaction from being committed: it may have rows without their entry. */
    void refuseCommit() {
        transaction.setRollbackOnly();
    }

    RuntimeException translated(LedgerException e) {
        return transaction.translated(e);
    }

    /** Ends the call, and not the transaction. */
    @Override
    public void close() {
        ledger.close();
    }
}
