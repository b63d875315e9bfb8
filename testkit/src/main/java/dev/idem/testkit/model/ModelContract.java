package dev.idem.testkit.model;

import dev.idem.testkit.LedgerCase;
import dev.idem.testkit.Thorough;
import org.junit.jupiter.api.Test;

/** A ledger answers like the model in every random schedule. */
public abstract class ModelContract extends LedgerCase {
    private static final int SCHEDULES = Thorough.times(10, 40);
    private static final int STEPS = 80;

    @Test
    void randomSchedulesAgreeWithTheModel() {
        clocks();
        processes();
        new RandomSchedules(this::fixture).run(SCHEDULES, STEPS);
    }
}
