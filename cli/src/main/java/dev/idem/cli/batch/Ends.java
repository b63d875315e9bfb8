package dev.idem.cli.batch;

import dev.idem.Outcome;
import dev.idem.cli.recorded.CommandResult;

/** Sorts the ways a call can end into those of a line. */
final class Ends implements Outcome.Cases<CommandResult, Tally.End> {
    @Override
    public Tally.End done(Outcome.Done<CommandResult> done) {
        return Tally.End.RAN;
    }

    @Override
    public Tally.End replayed(Outcome.Replayed<CommandResult> replayed) {
        return Tally.End.REPLAYED;
    }

    @Override
    public Tally.End inFlight(Outcome.InFlight<CommandResult> inFlight) {
        return Tally.End.IN_FLIGHT;
    }

    @Override
    public Tally.End conflict(Outcome.Conflict<CommandResult> conflict) {
        return Tally.End.CONFLICT;
    }

    @Override
    public Tally.End inDoubt(Outcome.InDoubt<CommandResult> inDoubt) {
        return Tally.End.IN_DOUBT;
    }

    @Override
    public Tally.End failed(Outcome.Failed<CommandResult> failed) {
        return Tally.End.FAILED;
    }

    @Override
    public Tally.End expired(Outcome.Expired<CommandResult> expired) {
        return Tally.End.REPLAYED;
    }

    /** It is done; only what it said is not there. */
    @Override
    public Tally.End unavailable(Outcome.Unavailable<CommandResult> unavailable) {
        return Tally.End.REPLAYED;
    }
}
