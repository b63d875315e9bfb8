package dev.idem.torture.broken;

import dev.idem.entry.Entry;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.entry.Ticket;
import dev.idem.ledger.ForwardingLedger;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;
import java.util.Optional;

/** Acknowledges some completions that it does not write, as one does that answers before it syncs. */
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
