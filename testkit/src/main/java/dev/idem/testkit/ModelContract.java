package dev.idem.testkit;

import org.junit.jupiter.api.Test;

/** A ledger answers as the model does, whatever happens in whatever order. */
abstract class ModelContract extends LedgerCase {
    private static final int SCHEDULES = 40;
    private static final int STEPS = 80;

    @Test
    void randomSchedulesAgreeWithTheModel() {
        clocks();
        processes();
        new RandomSchedules(this::fixture).run(SCHEDULES, STEPS);
    }
}
