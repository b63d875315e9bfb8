package dev.idem.clikit;

import dev.idem.entry.Address;
import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Mark;
import dev.idem.entry.Settlement;
import dev.idem.entry.Ticket;
import dev.idem.error.LedgerException;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.Ledger;
import dev.idem.ledger.Settled;
import java.time.Duration;
import java.util.Optional;

/** A ledger that answers nothing, and can't even be closed. */
record BrokenLedger(LedgerException why) implements Ledger {
    @Override
    public Claim claim(ClaimRequest request) {
        throw why;
    }

    @Override
    public boolean renew(Ticket ticket, Duration lease) {
        throw why;
    }

    @Override
    public boolean mark(Ticket ticket, Mark mark) {
        throw why;
    }

    @Override
    public Settled settle(Ticket ticket, Settlement how) {
        throw why;
    }

    @Override
    public Optional<Entry> find(Address address) {
        throw why;
    }

    @Override
    public boolean resolve(Address address, Fence seen, Settlement how) {
        throw why;
    }

    @Override
    public boolean forget(Entry seen) {
        throw why;
    }

    @Override
    public String describe() {
        return "broken";
    }

    @Override
    public void close() {
        throw why;
    }
}
