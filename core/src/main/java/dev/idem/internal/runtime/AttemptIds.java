package dev.idem.internal.runtime;

import dev.idem.spi.AttemptId;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/**
 * Makes globally unique ids from a random number drawn once, a count, and the monotonic time. The time separates
 * processes that were cloned from one image: they share the number and the count, and would get each other's tickets.
 */
public final class AttemptIds implements LongFunction<AttemptId> {
    private final long process;
    private final AtomicLong count;

    public AttemptIds() {
        var random = new SecureRandom();
        this.process = random.nextLong();
        this.count = new AtomicLong(random.nextLong());
    }

    AttemptIds(long process, long count) {
        this.process = process;
        this.count = new AtomicLong(count);
    }

    @Override
    public AttemptId apply(long nanos) {
        return new AttemptId(process + nanos, count.getAndIncrement());
    }
}
