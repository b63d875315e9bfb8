package dev.idem.agent.retry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A number of retries that all tools together may use up, so that an outage is not answered with a storm. Each retry
 * takes one; each call that goes well gives a part of one back, up to the number there was at the start.
 */
public final class RetryBudget {
    private static final long ONE = 1_000;

    private final long full;
    private final long earned;
    private final AtomicLong left;

    private RetryBudget(int retries, double earnedBySuccess) {
        this.full = retries * ONE;
        this.earned = Math.round(earnedBySuccess * ONE);
        this.left = new AtomicLong(full);
    }

    /** Gives a tenth of a retry back for each call that goes well. */
    public static RetryBudget of(int retries) {
        return of(retries, 0.1);
    }

    /**
     * A budget of its own.
     *
     * @param retries that may be used up at once
     * @param earnedBySuccess how much of a retry a call that goes well gives back, from 0 to 1
     */
    public static RetryBudget of(int retries, double earnedBySuccess) {
        if (retries < 0 || !(earnedBySuccess >= 0 && earnedBySuccess <= 1)) {
            throw new IllegalArgumentException("a budget has at least 0 retries and earns 0 to 1 by a success, not "
                    + retries + " and " + earnedBySuccess);
        }
        return new RetryBudget(retries, earnedBySuccess);
    }

    /** How many retries are left. */
    public int left() {
        return (int) (left.get() / ONE);
    }

    boolean take() {
        return left.getAndUpdate(now -> now >= ONE ? now - ONE : now) >= ONE;
    }

    void earn() {
        if (left.get() < full) {
            left.updateAndGet(now -> Math.min(full, now + earned));
        }
    }
}
