package dev.idem.seal;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.Awaitable;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.GroupRenewing;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import dev.idem.spi.Transactional;
import dev.idem.spi.browse.Browsable;
import dev.idem.spi.browse.Counts;
import dev.idem.spi.browse.Figures;
import dev.idem.spi.browse.Historied;
import dev.idem.spi.browse.LabelNames;
import dev.idem.spi.browse.Page;
import dev.idem.spi.browse.Query;
import dev.idem.spi.browse.Stats;
import dev.idem.spi.browse.TrailLine;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A ledger whose results and errors are sealed with AES-256-GCM before they reach the ledger behind it, and opened
 * when they come back.
 *
 * <p>It seals results, the reasons for missing results, and the messages of failures. The fields for searching and
 * judging stay readable: addresses, states, times, owners, fingerprints, labels, marks, the kinds of failures, the
 * reasons of doubts, and the evidence that nothing happened.
 *
 * <p>A seal opens only on the entry and the attempt it was made for. If it does not open, the method throws
 * {@link LedgerUnreadableException}: the entry never counts as absent, so nothing runs. Entries written before sealing
 * was switched on are read unchanged.
 */
public final class SealedLedger extends ForwardingLedger {
    private final SealKeys keys;
    private final SealedValues values;

    /** Seals the values that go into the given ledger, which is closed with this one. */
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

    /** Takes two steps: it reads the entry first, because the seal is bound to the resolved attempt. */
    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        Optional<Entry> found =
                inner.find(address).filter(entry -> entry.fence().equals(seen));
        // With any other fence the ledger would refuse too.
        return found.isPresent() && inner.resolve(address, seen, values.seal(how, Bond.ofResolved(found.get())));
    }

    /** Passes on only capabilities it knows; others might return sealed values or store unsealed ones. */
    @Override
    public <C> Optional<C> as(Class<C> capability) {
        if (capability == Browsable.class) {
            return inner.as(Browsable.class).map(behind -> capability.cast(new SealedBrowsing(behind, values)));
        } else if (capability == Historied.class) {
            return inner.as(Historied.class).map(behind -> capability.cast(new SealedTrails(behind)));
        } else if (capability == Transactional.class) {
            return inner.as(Transactional.class)
                    .map(behind -> capability.cast(new SealedTransactions<>((Transactional<?>) behind, keys, values)));
        } else if (capability == Awaitable.class || capability == GroupRenewing.class) {
            return inner.as(capability);
        }
        return capability.isInstance(this) ? Optional.of(capability.cast(this)) : Optional.empty();
    }

    /**
     * The id of the key that sealed an entry of the inner ledger; empty if it is not sealed. Shows which entries still
     * need an old key.
     */
    public static Optional<String> keyIdOf(Entry stored) {
        return SealedValues.markOf(stored).map(SealMark::keyId);
    }

    /**
     * Refuses an entry whose seals were not opened, so that a sealed result is not mistaken for one that can't be
     * replayed.
     *
     * @throws LedgerUnreadableException when it is sealed
     */
    public static void requireUnsealed(Entry stored) {
        new SealedValues(SealKeys.none()).open(stored);
    }

    /** Whether a ledger seals what it writes. One without keys writes plain text, and reads plain text alone. */
    public static boolean isSealing(Ledger ledger) {
        return ledger instanceof SealedLedger sealed && !sealed.keys.isEmpty();
    }

    @Override
    public String describe() {
        return inner.describe() + (keys.isEmpty() ? ", without seal keys" : ", sealed with " + keys.ids());
    }

    /** Opens the entries of a list. If a seal does not open, the page is an error: most likely the key is missing. */
    private record SealedBrowsing(Browsable behind, SealedValues values) implements Browsable {
        @Override
        public Page browse(Query query) {
            Page page = behind.browse(query);
            return new Page(page.entries().stream().map(values::open).toList(), page.next(), page.unreadable());
        }

        @Override
        public int purge(int limit) {
            return behind.purge(limit);
        }

        @Override
        public OptionalLong purgeable() {
            return behind.purgeable();
        }

        @Override
        public void countReplay(Entry answered) {
            behind.countReplay(answered);
        }

        @Override
        public void writeCounts() {
            behind.writeCounts();
        }

        @Override
        public Stats stats() {
            return behind.stats();
        }

        @Override
        public Counts counts(Query query) {
            return behind.counts(query);
        }

        @Override
        public Optional<Figures> figures(Query query) {
            return behind.figures(query);
        }

        @Override
        public LabelNames labelNames() {
            return behind.labelNames();
        }
    }

    /** Trails are readable without a key: sealed values in them are replaced by words, not opened. */
    record SealedTrails(Historied behind) implements Historied {
        @Override
        public List<TrailLine> trail(Address address) {
            return behind.trail(address).stream()
                    .map(line -> new TrailLine(
                            line.at(),
                            line.fence(),
                            line.event(),
                            SealMark.spelledOut(line.detail()),
                            line.resolution()))
                    .toList();
        }
    }
}
