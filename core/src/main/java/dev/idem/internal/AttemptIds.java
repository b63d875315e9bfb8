package dev.idem.internal;

import dev.idem.entry.AttemptId;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Ids that no other process makes: a random number drawn once, a count, and the time. The time is for processes that
 * were cloned from one image: they share the number and the count, and would be granted each other's tickets.
 */
public final class AttemptIds implements Supplier<AttemptId> {
    private final long process;
    private final AtomicLong count;
    private final LongSupplier nanos;

    public AttemptIds() {
        var random = new SecureRandom();
        this.process = random.nextLong();
        this.count = new AtomicLong(random.nextLong());
        this.nanos = System::nanoTime;
    }

    AttemptIds(long process, long count, LongSupplier nanos) {
        this.process = process;
        this.count = new AtomicLong(count);
        this.nanos = nanos;
    }

    @Override
    public AttemptId get() {
        return new AttemptId(process + nanos.getAsLong(), count.getAndIncrement());
    }
}
