package dev.idem.internal;

import dev.idem.entry.AttemptId;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Ids that no other process makes: a random number drawn once, and a count. */
public final class AttemptIds implements Supplier<AttemptId> {
    private final long process;
    private final AtomicLong count;

    public AttemptIds() {
        var random = new SecureRandom();
        this.process = random.nextLong();
        this.count = new AtomicLong(random.nextLong());
    }

    @Override
    public AttemptId get() {
        return new AttemptId(process, count.getAndIncrement());
    }
}
