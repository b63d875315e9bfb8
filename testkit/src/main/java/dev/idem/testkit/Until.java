package dev.idem.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something that other threads or processes bring about. */
public final class Until {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long GLANCE = Duration.ofMillis(1).toNanos();

    private Until() {}

    /** Returns as soon as it is true; fails when it does not become true in a minute. */
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
