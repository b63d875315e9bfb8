package dev.idem.agent.guard;

import java.time.Duration;

/**
 * What was used.
 *
 * @param calls that ran or run
 * @param failures calls that threw
 * @param time that calls have taken together
 */
public record Usage(int calls, int failures, Duration time) {
    static final Usage NOTHING = new Usage(0, 0, Duration.ZERO);

    Usage began() {
        return new Usage(calls + 1, failures, time);
    }

    Usage ended(Ending ending) {
        return switch (ending.how()) {
            case RETURNED -> new Usage(calls, failures, time.plus(ending.time()));
            case THREW, UNCLEAR -> new Usage(calls, failures + 1, time.plus(ending.time()));
            case RESUMED, STOPPED -> new Usage(calls - 1, failures, time);
        };
    }
}
