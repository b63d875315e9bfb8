package dev.idem.agent.retry;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A budget of retries that several tools share, so that an outage does not cause a storm of retries. Each retry takes
 * one; each successful call gives a part back, up to the initial number. Thread-safe.
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

    /** A budget that gets back a tenth of a retry for each successful call. */
    public static RetryBudget of(int retries) {
        return of(retries, 0.1);
    }

    /**
     * A budget.
     *
     * @param retries the initial number of retries
     * @param earnedBySuccess the part of a retry that a successful call gives back, from 0 to 1
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
