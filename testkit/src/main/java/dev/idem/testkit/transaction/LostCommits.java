package dev.idem.testkit.transaction;

import dev.idem.LedgerUnavailableException;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A ledger that loses the answers of its commits: they are done, or the transaction is rolled back. */
final class LostCommits extends ForwardingLedger implements Transactional<Connection> {
    private final Transactional<Connection> transactional;
    private final boolean done;
    private final Runnable meanwhile;

    /** {@code meanwhile} runs before the caller learns that there is no answer. */
    LostCommits(Ledger ledger, Transactional<Connection> transactional, boolean done, Runnable meanwhile) {
        super(ledger);
        this.transactional = transactional;
        this.done = done;
        this.meanwhile = meanwhile;
    }

    @Override
    public Class<Connection> connectionType() {
        return transactional.connectionType();
    }

    @Override
    public boolean exclusive() {
        return transactional.exclusive();
    }

    @Override
    public Ledger within(Connection connection, Duration wait) {
        return transactional.within(connection, wait);
    }

    @Override
    public Transaction<Connection> begin(@Nullable Connection connection) {
        Transaction<Connection> begun = transactional.begin(connection);
        return new Transaction<>() {
            @Override
            public Connection connection() {
                return begun.connection();
            }

            @Override
            public Settled settle(Ticket ticket, Settlement how) {
                return begun.settle(ticket, how);
            }

            @Override
            public void commit() {
                if (done) {
                    begun.commit();
                } else {
                    begun.close();
                }
                meanwhile.run();
                throw new LedgerUnavailableException("no answer, by order, to a commit", null);
            }

            @Override
            public void close() {
                begun.close();
            }
        };
    }

    /** Only this capability: others would not lose the answers of commits. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
    }

    @Override
    public String describe() {
        return inner.describe() + ", commits unanswered";
    }
}
