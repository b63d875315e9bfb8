package dev.idem.torture.broken;

import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settles some entries outside the transaction of their rows, which is then rolled back. */
final class RowlessLedger extends ForwardingLedger {
    RowlessLedger(Ledger inner) {
        super(inner);
    }

    @Override
    @SuppressWarnings("unchecked") // the wrapped capability has the requested type
    public <C> Optional<C> as(Class<C> capability) {
        Optional<C> found = inner.as(capability);
        return capability == Transactional.class
                ? (Optional<C>) found.map(each -> new Apart<>((Transactional<?>) each, inner))
                : found;
    }

    private record Apart<T>(Transactional<T> transactions, Ledger ledger) implements Transactional<T> {
        @Override
        public Class<T> connectionType() {
            return transactions.connectionType();
        }

        @Override
        public boolean exclusive() {
            return transactions.exclusive();
        }

        @Override
        public Ledger within(T connection, Duration wait) {
            return transactions.within(connection, wait);
        }

        @Override
        public Transaction<T> begin(@Nullable T connection) {
            Transaction<T> begun = transactions.begin(connection);
            return new Transaction<>() {
                private @Nullable Runnable afterwards;

                @Override
                public T connection() {
                    return begun.connection();
                }

                @Override
                public Settled settle(Ticket ticket, Settlement how) {
                    if (ticket.address().hashCode() % 3 == 0) {
                        afterwards = () -> ledger.settle(ticket, how);
                    }
                    return begun.settle(ticket, how);
                }

                @Override
                public void commit() {
                    if (afterwards == null) {
                        begun.commit();
                    } else {
                        begun.close();
                        afterwards.run();
                    }
                }

                @Override
                public void close() {
                    begun.close();
                }
            };
        }
    }
}
