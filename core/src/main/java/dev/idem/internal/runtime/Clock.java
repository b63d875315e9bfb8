package dev.idem.internal.runtime;

import java.util.function.LongSupplier;

/**
 * The two clocks of this process.
 *
 * @param monotonic in nanoseconds; it may stand still while the machine sleeps
 * @param wall in milliseconds; it may jump
 */
public record Clock(LongSupplier monotonic, LongSupplier wall) {
    public static final Clock SYSTEM = new Clock(System::nanoTime, System::currentTimeMillis);

    public long nanos() {
        return monotonic.getAsLong();
    }

    public long millis() {
        return wall.getAsLong();
    }
}
