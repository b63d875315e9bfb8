package dev.idem.seal;

import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Seals the settlements of transactions. The rows of the action are not sealed. */
final class SealedTransactions<C> implements Transactional<C> {
    private final Transactional<C> ledger;
    private final SealKeys keys;
    private final SealedValues values;

    SealedTransactions(Transactional<C> ledger, SealKeys keys, SealedValues values) {
        this.ledger = ledger;
        this.keys = keys;
        this.values = values;
    }

    @Override
    public Class<C> connectionType() {
        return ledger.connectionType();
    }

    @Override
    public boolean exclusive() {
        return ledger.exclusive();
    }

    @Override
    public Ledger within(C connection, Duration wait) {
        return new SealedLedger(ledger.within(connection, wait), keys);
    }

    @Override
    public boolean isBlockedBy(C connection) {
        return ledger.isBlockedBy(connection);
    }

    @Override
    public Transaction<C> begin(@Nullable C connection) {
        Transaction<C> begun = ledger.begin(connection);
        return new Transaction<>() {
            @Override
            public C connection() {
                return begun.connection();
            }

            @Override
            public Settled settle(Ticket ticket, Settlement how) {
                return values.settled(how, Bond.of(ticket), closed -> begun.settle(ticket, closed));
            }

            @Override
            public void commit() {
                begun.commit();
            }

            @Override
            public void close() {
                begun.close();
            }
        };
    }
}
