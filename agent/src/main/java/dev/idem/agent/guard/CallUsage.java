package dev.idem.agent.guard;

import java.time.Duration;

/**
 * What was used.
 *
 * @param calls that ran or run
 * @param failures calls that threw
 * @param time that calls have taken together
 */
public record CallUsage(int calls, int failures, Duration time) {
    static final CallUsage NOTHING = new CallUsage(0, 0, Duration.ZERO);

    CallUsage began() {
        return new CallUsage(calls + 1, failures, time);
    }

    CallUsage ended(Ending ending) {
        return switch (ending.how()) {
            case RETURNED -> new CallUsage(calls, failures, time.plus(ending.time()));
            case THREW, UNCLEAR -> new CallUsage(calls, failures + 1, time.plus(ending.time()));
            case RESUMED, STOPPED -> new CallUsage(calls - 1, failures, time);
        };
    }
}
