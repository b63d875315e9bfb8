package dev.idem.agent.guard;

import java.time.Duration;

/** How a call that was asked for ended. */
record Ending(How how, Duration time) {
    enum How {
        RETURNED,
        THREW,
        /** It ended in doubt, and the next call of the same finds out: a failure, but no step of a loop. */
        UNCLEAR,
        /** It was answered from an earlier run of the task: it does not count. */
        RESUMED,
        /** It was not let pass. */
        STOPPED
    }

    static final Ending STOPPED = new Ending(How.STOPPED, Duration.ZERO);
    static final Ending RESUMED = new Ending(How.RESUMED, Duration.ZERO);
}
