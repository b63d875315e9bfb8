package dev.idem.spi.store;

import dev.idem.spi.Joining;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Settles in transactions of an application. */
final class Transactions<C> implements Transactional<C> {
    private final StoreLedger ledger;
    private final Joining<C> store;

    Transactions(StoreLedger ledger, Joining<C> store) {
        this.ledger = ledger;
        this.store = store;
    }

    @Override
    public Class<C> connectionType() {
        return store.connectionType();
    }

    @Override
    public boolean exclusive() {
        return store.exclusive();
    }

    @Override
    public Ledger within(C connection, Duration wait) {
        return ledger.within(store.within(connection, wait));
    }

    @Override
    public boolean isBlockedBy(C connection) {
        return store.isBlockedBy(connection);
    }

    @Override
    public Transaction<C> begin(@Nullable C connection) {
        ledger.requireOpen();
        Joining.Joined<C> joined = store.join(connection);
        return new Transaction<>() {
            private final Set<Ticket> settled = new HashSet<>();

            @Override
            public C connection() {
                return joined.connection();
            }

            @Override
            public Settled settle(Ticket ticket, Settlement how) {
                settled.add(ticket);
                return ledger.settle(joined.store(), ticket, how);
            }

            @Override
            public void commit() {
                joined.commit();
                // Not before the commit: after a rollback the row of the grant is still the newest one.
                settled.forEach(ledger::drop);
            }

            @Override
            public void close() {
                joined.close();
            }
        };
    }
}
