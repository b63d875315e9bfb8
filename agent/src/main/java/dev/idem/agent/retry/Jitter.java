package dev.idem.agent.retry;

import java.util.function.DoubleSupplier;

/** The random part of a delay, so that callers that failed together do not retry together. */
public enum Jitter {
    /** Anything between nothing and the whole delay. */
    FULL,
    /** Half of the delay, and anything up to the other half. */
    EQUAL,
    /** The delay as it is. */
    NONE;

    long apply(long nanos, DoubleSupplier random) {
        return switch (this) {
            case FULL -> (long) (nanos * random.getAsDouble());
            case EQUAL -> nanos / 2 + (long) (nanos / 2.0 * random.getAsDouble());
            case NONE -> nanos;
        };
    }
}
