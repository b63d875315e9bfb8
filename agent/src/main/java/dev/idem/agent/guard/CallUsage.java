package dev.idem.agent.guard;

import java.time.Duration;

/**
 * The usage of a tool or a session.
 *
 * @param calls the calls that run or ran
 * @param failures the calls that threw
 * @param time the time that calls took together
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
