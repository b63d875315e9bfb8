package dev.idem;

import dev.idem.internal.call.Engine;
import dev.idem.internal.call.Plan;
import dev.idem.internal.call.TransactedWork;
import dev.idem.spi.Transactional;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The declaration of a call whose action writes rows into the ledger's own database. The rows and the entry are in one
 * transaction: both are committed or neither. Idem begins the transaction, commits it and rolls it back.
 *
 * <pre>{@code
 * idem.operation("book").key("order-7").inTransaction(Connection.class).run((call, connection) -> {
 *     try (Statement statement = connection.createStatement()) {
 *         return statement.executeUpdate("insert into orders values ('order-7')");
 *     }
 * });
 * }</pre>
 *
 * <p>These rows are written exactly once. Other effects of the action are not part of the transaction. Immutable and
 * thread-safe. Made by {@link Operation#inTransaction} and {@link Operation#inTransactionOn}.
 *
 * @param <C> the type of the connection
 * @param <T> the type of the result
 */
public final class TransactedOperation<C, T extends @Nullable Object> {
    private static final int LEASES_A_TRANSACTION = 3;

    private final Engine engine;
    private final Plan plan;
    private final Transactional<C> ledger;
    private final @Nullable C connection;

    TransactedOperation(Engine engine, Plan plan, Transactional<C> ledger, @Nullable C connection) {
        this.engine = engine;
        this.plan = planFor(plan, ledger);
        this.ledger = ledger;
        this.connection = connection;
    }

    /**
     * Runs the action, or returns the stored value where the operation is already complete.
     *
     * @throws X the exception of the action; the transaction was rolled back
     * @throws IdemException when there is no value to return, as {@link Operation#run} says
     */
    public <X extends Exception> T run(PreparedAction<? super C, ? extends T, X> action) throws X {
        return Engine.<T, X>value(attempt(action));
    }

    /** Runs the action and returns every end of the call as an {@link Outcome}. See {@link Operation#attempt}. */
    public Outcome<T> attempt(PreparedAction<? super C, ? extends T, ?> action) {
        return engine.attempt(plan, new TransactedWork<C, T>(ledger, connection, action));
    }

    /** Makes the entry staged: a crash before the commit leaves no mark, which proves that nothing happened. */
    private static Plan planFor(Plan declared, Transactional<?> ledger) {
        if (declared.policy().sideEffect() == SideEffect.READ) {
            throw new IllegalStateException("operation '" + declared.operation()
                    + "' is a READ, which has no entry to put into a transaction. Declare it as WRITE, or use run()");
        }
        Policy staged = declared.policy().staged();
        Duration longest = staged.lease().dividedBy(LEASES_A_TRANSACTION);
        // On such a ledger heartbeats wait until the transaction ends, so it must end well within the lease.
        boolean tooLong = ledger.exclusive() && staged.timeLimit().compareTo(longest) > 0;
        return declared.withPolicy(tooLong ? staged.timeLimit(longest) : staged);
    }
}
