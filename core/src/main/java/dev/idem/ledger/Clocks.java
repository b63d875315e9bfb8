package dev.idem.ledger;

import dev.idem.entry.Moment;
import java.time.Instant;

/** Tells the time on both clocks of a {@link Moment}. Injected everywhere, so that tests can move it. */
@FunctionalInterface
public interface Clocks {
    Moment now();

    /**
     * The time on the wall alone, to the millisecond, where that is enough: reading a clock costs as much as finding an
     * entry.
     */
    default Instant wall() {
        return now().wall();
    }
}
