package dev.idem.agent.run;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Makes run ids, each greater than the one before, even when the clock stands still or steps back. */
public final class RunIds implements Supplier<RunId> {
    private final Clock clock;
    private final LongSupplier random;
    private long millis = -1;
    private int high;
    private long low;

    /** By the clock of this machine. */
    public RunIds() {
        this(Clock.systemUTC(), new SecureRandom()::nextLong);
    }

    /** By a given clock and chance. */
    public RunIds(Clock clock, LongSupplier random) {
        this.clock = clock;
        this.random = random;
    }

    @Override
    public synchronized RunId get() {
        long now = clock.millis();
        if (now > millis) {
            millis = now;
            high = (int) random.getAsLong() & 0x7FFF;
            low = random.getAsLong();
        } else if (++low == 0 && ++high > 0xFFFF) {
            // All ids of this millisecond are used: take the next one.
            millis++;
            high = 0;
        }
        return RunId.of(millis, high, low);
    }
}
