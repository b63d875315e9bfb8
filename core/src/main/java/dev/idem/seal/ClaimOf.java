package dev.idem.seal;

import dev.idem.Entry;
import dev.idem.spi.Claim;

/** The same answer with another entry in it. */
record ClaimOf(Entry entry) implements Claim.Cases<Claim> {
    @Override
    public Claim granted(Claim.Granted granted) {
        return new Claim.Granted(entry);
    }

    @Override
    public Claim replay(Claim.Replay replay) {
        return new Claim.Replay(entry);
    }

    @Override
    public Claim replayedFailure(Claim.ReplayedFailure failure) {
        return new Claim.ReplayedFailure(entry);
    }

    @Override
    public Claim inFlight(Claim.InFlight inFlight) {
        return new Claim.InFlight(entry, inFlight.leaseLeft());
    }

    @Override
    public Claim conflict(Claim.Conflict conflict) {
        return new Claim.Conflict(entry);
    }

    @Override
    public Claim inDoubt(Claim.InDoubt inDoubt) {
        return new Claim.InDoubt(entry, inDoubt.doubt(), inDoubt.age(), inDoubt.probeIn());
    }

    @Override
    public Claim expired(Claim.Expired expired) {
        return new Claim.Expired(entry);
    }
}
