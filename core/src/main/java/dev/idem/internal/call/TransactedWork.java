package dev.idem.internal.call;

import dev.idem.Call;
import dev.idem.PreparedAction;
import dev.idem.spi.Transactional;
import dev.idem.spi.Transactional.Transaction;
import org.jspecify.annotations.Nullable;

/** An action that writes through a transaction of the ledger, in which its entry is settled too. */
public final class TransactedWork<C, T extends @Nullable Object> implements Work<T> {
    private final Transactional<C> ledger;
    private final @Nullable C connection;
    private final PreparedAction<? super C, ? extends T, ?> action;
    private @Nullable Transaction<C> transaction;

    /** {@code connection} is the caller's own, or null for one of the ledger. */
    public TransactedWork(
            Transactional<C> ledger, @Nullable C connection, PreparedAction<? super C, ? extends T, ?> action) {
        this.ledger = ledger;
        this.connection = connection;
        this.action = action;
    }

    @Override
    public T act(Call call) throws Exception {
        Transaction<C> begun = ledger.begin(connection);
        transaction = begun;
        if (ledger.exclusive()) {
            Frame.writesAlone();
        }
        return action.run(call, begun.connection());
    }

    @Override
    public @Nullable Transaction<?> transaction() {
        return transaction;
    }
}
