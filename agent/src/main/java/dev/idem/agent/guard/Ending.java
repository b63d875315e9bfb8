package dev.idem.agent.guard;

import java.time.Duration;

/**
 * How a counted call ended.
 *
 * @param changed whether it may have changed something: a read before it may give another result now
 */
record Ending(How how, boolean changed, Duration time) {
    enum How {
        RETURNED,
        THREW,
        /** It ended in doubt, and the next identical call resolves it: a failure that does not count for the loop. */
        UNCLEAR,
        /** It was a replay from an earlier run of the task: it does not count. */
        RESUMED,
        /** It was stopped. */
        STOPPED
    }

    static final Ending STOPPED = new Ending(How.STOPPED, false, Duration.ZERO);
    static final Ending RESUMED = new Ending(How.RESUMED, false, Duration.ZERO);
}
