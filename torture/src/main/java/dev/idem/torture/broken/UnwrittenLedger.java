package dev.idem.torture.broken;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.ForwardingLedger;
import dev.idem.spi.Ledger;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
import java.util.Optional;

/** Acknowledges some completions that it does not write, like a ledger that answers before it syncs. */
final class UnwrittenLedger extends ForwardingLedger {
    UnwrittenLedger(Ledger inner) {
        super(inner);
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        Optional<Entry> entry = inner.find(ticket.address());
        return entry.isPresent()
                        && how instanceof Settlement.Completed
                        && ticket.address().hashCode() % 5 == 0
                        && entry.get().ticket().equals(ticket)
                ? new Settled.Recorded(completed(entry.get(), how))
                : inner.settle(ticket, how);
    }

    private static Entry completed(Entry found, Settlement how) {
        return new Entry(
                found.address(),
                State.COMPLETE,
                found.fence(),
                found.attempt(),
                found.fingerprints(),
                found.parent(),
                found.labels(),
                found.tenure(),
                null,
                found.times(),
                found.replays(),
                how);
    }
}
