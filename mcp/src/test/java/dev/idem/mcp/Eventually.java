package dev.idem.mcp;

import dev.idem.testkit.Until;
import java.util.concurrent.Callable;

/** Waits for a condition that may throw. */
final class Eventually {
    private Eventually() {}

    /** Returns as soon as the condition is true; fails after a minute, or when it throws. */
    static void isTrue(String what, Callable<Boolean> condition) {
        Until.isTrue(what, () -> {
            try {
                return condition.call();
            } catch (Exception e) {
                throw new AssertionError(what, e);
            }
        });
    }
}
