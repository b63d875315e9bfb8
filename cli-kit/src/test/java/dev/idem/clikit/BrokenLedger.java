package dev.idem.clikit;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.LedgerException;
import dev.idem.spi.Claim;
import dev.idem.spi.ClaimRequest;
import dev.idem.spi.Fence;
import dev.idem.spi.Ledger;
import dev.idem.spi.Mark;
import dev.idem.spi.Settled;
import dev.idem.spi.Settlement;
import dev.idem.spi.Ticket;
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
