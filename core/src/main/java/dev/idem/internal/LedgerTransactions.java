package dev.idem.internal;

import dev.idem.spi.AmbientTransactions;
import dev.idem.spi.Transactional;

/** Finds the transactions of the ledger, for actions that write their rows with the ledger's own connection. */
public final class LedgerTransactions {
    private LedgerTransactions() {}

    /** The ledger as one that has transactions on such connections. */
    @SuppressWarnings("unchecked") // the connection type was compared
    public static <C> Transactional<C> ofType(Engine engine, Class<C> type) {
        if (engine.settings.transactions() != AmbientTransactions.NONE) {
            throw new IllegalStateException("the framework of this application has transactions of its own, and its"
                    + " templates and repositories would not use the connection of this one. Make the call inside a"
                    + " transaction of the framework and declare"
                    + " .policy(Policy.unset().transaction(TransactionMode.JOIN)). Nothing ran");
        }
        Transactional<?> found =
                (Transactional<?>) engine.ledger.as(Transactional.class).orElse(null);
        if (found == null || found.connectionType() != type) {
            throw new IllegalStateException("ledger " + engine.ledger.describe() + " has no transactions on a "
                    + type.getName()
                    + (found == null
                            ? ""
                            : ", only on a " + found.connectionType().getName())
                    + ". Use a ledger in the database that the rows are in, or run() without a transaction");
        }
        return (Transactional<C>) found;
    }

    /** The ledger as one that has transactions on this connection. */
    public static Transactional<?> on(Engine engine, Object connection) {
        Transactional<?> found =
                (Transactional<?>) engine.ledger.as(Transactional.class).orElse(null);
        return found != null
                        && found.connectionType().isInstance(connection)
                        && engine.settings.transactions() == AmbientTransactions.NONE
                ? found
                : ofType(engine, connection.getClass());
    }
}
