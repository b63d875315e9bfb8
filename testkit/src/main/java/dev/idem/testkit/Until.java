package dev.idem.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition that other threads or processes fulfil. */
public final class Until {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long GLANCE = Duration.ofMillis(1).toNanos();

    private Until() {}

    /** Returns as soon as the condition is true; fails after a minute. */
    public static void isTrue(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not true after " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(GLANCE);
        }
    }
}
