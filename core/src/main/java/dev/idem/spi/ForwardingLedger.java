package dev.idem.spi;

import dev.idem.Address;
import dev.idem.Entry;
import java.time.Duration;
import java.util.Optional;

/** A ledger that forwards every call to another ledger: a base class for decorators. */
public abstract class ForwardingLedger implements Ledger {
    /** The ledger that gets the calls. It is closed with this one. */
    protected final Ledger inner;

    /** Makes a ledger that forwards every call to this one. */
    protected ForwardingLedger(Ledger inner) {
        this.inner = inner;
    }

    @Override
    public Claim claim(ClaimRequest request) {
        return inner.claim(request);
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        return inner.renew(ticket, lease);
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        return inner.mark(ticket, mark);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return inner.settle(ticket, how);
    }

    @Override
    public Optional<Entry> find(Address address) {
        return inner.find(address);
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        return inner.resolve(address, seen, how);
    }

    @Override
    public boolean forget(Entry seen) {
        return inner.forget(seen);
    }

    /** The capabilities of the ledger behind this one. Their calls go directly to that ledger. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        return inner.as(capability);
    }

    @Override
    public int largestResult() {
        return inner.largestResult();
    }

    @Override
    public String describe() {
        return getClass().getSimpleName() + " around " + inner.describe();
    }

    @Override
    public void close() {
        inner.close();
    }
}
