package dev.idem.internal.call;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Exceptions of calls that their threads made outside any operation. An action may make such calls in its own threads
 * and throw their exceptions as its own. References are weak, so no exception is kept alive here.
 */
final class OutsideExceptions {
    static final OutsideExceptions OF_THIS_PROCESS = new OutsideExceptions();

    private final ConcurrentHashMap<One, Long> thrown = new ConcurrentHashMap<>();
    private final ReferenceQueue<Throwable> gone = new ReferenceQueue<>();
    private final AtomicLong count = new AtomicLong();

    private OutsideExceptions() {}

    /** The number of such exceptions so far. */
    long count() {
        return count.get();
    }

    void add(Throwable one) {
        for (Reference<?> old = gone.poll(); old != null; old = gone.poll()) {
            thrown.remove(old);
        }
        thrown.put(new One(one, gone), count.incrementAndGet());
    }

    /** Whether this exception was added after the given count. */
    boolean since(long before, Throwable one) {
        Long number = count.get() == before ? null : thrown.get(new One(one, null));
        return number != null && number > before;
    }

    /** A reference that compares by identity, not by equals. */
    private static final class One extends WeakReference<Throwable> {
        private final int hash;

        One(Throwable thrown, @Nullable ReferenceQueue<Throwable> queue) {
            super(thrown, queue);
            this.hash = System.identityHashCode(thrown);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Throwable mine = get();
            return mine != null && other instanceof One one && mine == one.get();
        }
    }
}
