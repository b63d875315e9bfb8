package dev.idem.seal;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Browsable;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Historied;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import java.util.Optional;

/**
 * A ledger whose results and errors are sealed with AES-256-GCM before they reach the ledger behind it, and opened
 * when they come back.
 *
 * <p>Sealed are results, the reasons why there is none, and the messages of failures. Readable stay what entries are
 * found and judged by: addresses, states, times, owners, fingerprints, labels, marks, the kinds of failures, the
 * reasons of doubts, and the evidence that nothing happened.
 *
 * <p>A seal opens only on the entry and the attempt it was made for. One that does not open is a
 * {@link LedgerUnreadableException} from whatever method would have given it back: never "not seen", so nothing runs.
 * What was written before sealing was switched on is read as it is.
 */
public final class SealedLedger extends ForwardingLedger {
    private final SealKeys keys;
    private final SealedValues values;

    /** Seals what goes into the given ledger, which is closed with this one. */
    public SealedLedger(Ledger ledger, SealKeys keys) {
        super(ledger);
        this.keys = keys;
        this.values = new SealedValues(keys);
    }

    @Override
    public Claim claim(ClaimRequest request) {
        Claim claim = inner.claim(request);
        return claim.match(new ClaimOf(values.open(claim.entry())));
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        return values.settled(how, Bond.of(ticket), closed -> inner.settle(ticket, closed));
    }

    @Override
    public Optional<Entry> find(Address address) {
        return inner.find(address).map(values::open);
    }

    /** Looks at the entry first, since the seal is bound to the attempt that is resolved: two steps, not one. */
    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        Optional<Entry> found =
                inner.find(address).filter(entry -> entry.fence().equals(seen));
        // A fence that is not there any more, or not yet, is one the ledger would refuse.
        return found.isPresent() && inner.resolve(address, seen, values.seal(how, Bond.ofResolved(found.get())));
    }

    /** Passes on the capabilities it knows; another might give away what is sealed, or write what is not. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        if (capability == Browsable.class) {
            return inner.as(Browsable.class).map(behind -> capability.cast(new SealedBrowsing(behind, values)));
        } else if (capability == Historied.class) {
            return inner.as(Historied.class).map(behind -> capability.cast(new SealedTrails(behind)));
        } else if (capability == Transactional.class) {
            return inner.as(Transactional.class)
                    .map(behind -> capability.cast(new SealedTransactions<>((Transactional<?>) behind, values)));
        } else if (capability == Awaitable.class || capability == GroupRenewing.class) {
            return inner.as(capability);
        }
        return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
    }

    /**
     * The id of the key an entry is sealed with, as the ledger behind a sealed one gives it; empty when it is not
     * sealed. Tells which entries still need an old key.
     */
    public static Optional<String> keyIdOf(Entry stored) {
        return SealedValues.markOf(stored).map(SealMark::keyId);
    }

    /**
     * Refuses an entry that came from a ledger without its seals being opened, so that what is sealed is not mistaken
     * for a result that can't be replayed.
     *
     * @throws LedgerUnreadableException when it is sealed
     */
    public static void requireUnsealed(Entry stored) {
        new SealedValues(SealKeys.none()).open(stored);
    }

    @Override
    public String describe() {
        return inner.describe() + (keys.isEmpty() ? ", without seal keys" : ", sealed with " + keys.ids());
    }
}
