package dev.idem;

import dev.idem.internal.Calls;
import dev.idem.internal.Engine;
import dev.idem.internal.Plan;
import dev.idem.internal.TransactedWork;
import dev.idem.spi.Transactional;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A call whose action writes rows into the ledger's own database, in one transaction with its entry: either both are
 * there, or neither. Idem begins, commits and rolls back.
 *
 * <p>It is exactly once for those rows. Whatever else the action does is not part of the transaction.
 *
 * @param <C> what the action writes through
 * @param <T> what the action returns
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

    /** Runs the action once, or gives the value of the run there was. See {@link Operation#run}. */
    public <X extends Exception> T run(PreparedAction<? super C, ? extends T, X> action) throws X {
        return Calls.<T, X>value(plan, attempt(action));
    }

    /** Every way a call can end as a value. See {@link Operation#attempt}. */
    public Outcome<T> attempt(PreparedAction<? super C, ? extends T, ?> action) {
        return Calls.attempt(engine, plan, new TransactedWork<C, T>(ledger, connection, action));
    }

    /** The entry is staged: a crash before the commit leaves no mark, and is known to be harmless. */
    private static Plan planFor(Plan declared, Transactional<?> ledger) {
        if (declared.policy.sideEffect() == SideEffect.READ) {
            throw new IllegalStateException("operation '" + declared.operation
                    + "' is a READ, which has no entry to put into a transaction. Declare it as WRITE, or use run()");
        }
        Plan plan = declared.copy();
        plan.policy = plan.policy.staged();
        Duration longest = plan.policy.lease().dividedBy(LEASES_A_TRANSACTION);
        if (ledger.exclusive() && plan.policy.timeLimit().compareTo(longest) > 0) {
            // Heartbeats wait as long as it does.
            plan.policy = plan.policy.timeLimit(longest);
        }
        return plan;
    }
}
