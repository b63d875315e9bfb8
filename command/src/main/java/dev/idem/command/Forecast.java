package dev.idem.command;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Settlement;

/** The fate of a call, as far as the entry that has its key shows it. A dry run answers by it. */
public enum Forecast {
    /** Nothing has happened, so it would run. */
    RUNS,
    COMPLETE,
    /** It failed, and the failure is kept: it would be answered again. */
    FAILED,
    IN_FLIGHT,
    IN_DOUBT,
    /** It is done, and its result is gone. */
    EXPIRED,
    /** The key was used for something else. */
    CONFLICT;

    /** The fate of a call with these fingerprints. */
    public static Forecast of(Entry entry, Fingerprints mine) {
        if (entry.state() != State.EXPIRED && entry.fingerprints().conflictsWith(mine)) {
            return CONFLICT;
        }
        return switch (entry.state()) {
            case FAILED -> entry.settlement() instanceof Settlement.Failed failed && failed.kept() ? FAILED : RUNS;
            case COMPLETE -> COMPLETE;
            case IN_PROGRESS -> IN_FLIGHT;
            case IN_DOUBT -> IN_DOUBT;
            case EXPIRED -> EXPIRED;
        };
    }
}
