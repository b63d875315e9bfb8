package dev.idem.internal.store;

import dev.idem.spi.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Until when the attempt that acted last is able to act, in the form that is stored: the store adds the time at which it
 * writes.
 *
 * @param timeLimit counted from the grant; null while a taker only probes
 * @param actUntil the limit of an earlier, doubted attempt; null where there is none
 * @param ended whether the attempt was seen to end, so that it can't act after it was settled
 */
public record Limit(@Nullable Duration timeLimit, @Nullable Moment actUntil, boolean ended) {
    /** The limit as a moment. The later one counts: an early limit would let a probe run beside the action. */
    Moment of(Moment claimed, @Nullable Moment settled) {
        Moment limit = timeLimit == null ? claimed : claimed.plus(timeLimit);
        if (actUntil != null && (timeLimit == null || limit.isBefore(actUntil))) {
            limit = actUntil;
        }
        return ended && settled != null && settled.isBefore(limit) ? settled : limit;
    }
}
