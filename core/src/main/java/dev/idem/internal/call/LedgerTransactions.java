package dev.idem.internal.call;

import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Ledger;
import dev.idem.spi.Transactional;

/** Finds the transactions of the ledger, for actions that write their rows with the ledger's own connection. */
public final class LedgerTransactions {
    private final Ledger ledger;
    private final AmbientTransactions ambient;

    /** {@code ambient} are the transactions of a framework: where there are any, those of the ledger are refused. */
    LedgerTransactions(Ledger ledger, AmbientTransactions ambient) {
        this.ledger = ledger;
        this.ambient = ambient;
    }

    /** The ledger as one that has transactions on such connections. */
    @SuppressWarnings("unchecked") // the connection type was compared
    public <C> Transactional<C> ofType(Class<C> type) {
        if (ambient != AmbientTransactions.NONE) {
            throw new IllegalStateException("the framework of this application has transactions of its own, and its"
                    + " templates and repositories would not use the connection of this one. Make the call inside a"
                    + " transaction of the framework and declare"
                    + " .policy(Policy.unset().transaction(TransactionMode.JOIN)). Nothing ran");
        }
        Transactional<?> found =
                (Transactional<?>) ledger.as(Transactional.class).orElse(null);
        if (found == null || found.connectionType() != type) {
            throw new IllegalStateException("ledger " + ledger.describe() + " has no transactions on a "
                    + type.getName()
                    + (found == null
                            ? ""
                            : ", only on a " + found.connectionType().getName())
                    + ". Use a ledger in the database that the rows are in, or run() without a transaction");
        }
        return (Transactional<C>) found;
    }

    /** The ledger as one that has transactions on this connection. */
    public Transactional<?> on(Object connection) {
        Transactional<?> found =
                (Transactional<?>) ledger.as(Transactional.class).orElse(null);
        return found != null && found.connectionType().isInstance(connection) && ambient == AmbientTransactions.NONE
                ? found
                : ofType(connection.getClass());
    }
}
