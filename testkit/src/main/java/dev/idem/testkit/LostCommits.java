package dev.idem.testkit;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerUnavailableException;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;
import dev.idem.ledger.Transactional;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A ledger whose commits of transactions get no answer: they are done, or never sent. */
final class LostCommits implements Ledger, Transactional<Connection> {
    private final Ledger ledger;
    private final Transactional<Connection> transactional;
    private final boolean done;

    LostCommits(Ledger ledger, Transactional<Connection> transactional, boolean done) {
        this.ledger = ledger;
        this.transactional = transactional;
        this.done = done;
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
                }
                throw new LedgerUnavailableException("no answer, by order, to a commit", null);
            }

            @Override
            public void close() {
                begun.close();
            }
        };
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return ledger.claim(request);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return ledger.renew(ticket, lease);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        return ledger.mark(ticket, mark);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return ledger.settle(ticket, how);
    }

    @Override
    public Optional<Entry> find(Address address) {
        return ledger.find(address);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return ledger.resolve(address, seen, how);
    }

    @Override
    public boolean forget(Address address, Fence seen) {
        return ledger.forget(address, seen);
    }

    @Override
    public String describe() {
        return ledger.describe() + ", commits unanswered";
    }

    @Override
    public void close() {
        ledger.close();
    }
}
