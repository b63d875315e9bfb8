package dev.idem.internal;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What calls ended with that no operation was around, as far as their threads knew. An action may have made them in
 * threads of its own, and throw what came of it as if it were its own word. Nothing is kept longer than others keep it.
 */
final class Strays {
    static final Strays OF_THIS_PROCESS = new Strays();

    private final ConcurrentHashMap<One, Long> thrown = new ConcurrentHashMap<>();
    private final ReferenceQueue<Throwable> gone = new ReferenceQueue<>();
    private final AtomicLong count = new AtomicLong();

    private Strays() {}

    /** How many there have been. */
    long count() {
        return count.get();
    }

    void add(Throwable one) {
        for (Reference<?> old = gone.poll(); old != null; old = gone.poll()) {
            thrown.remove(old);
        }
        thrown.put(new One(one, gone), count.incrementAndGet());
    }

    /** Whether it is one that came after so many. */
    boolean since(long before, Throwable one) {
        Long number = count.get() == before ? null : thrown.get(new One(one, null));
        return number != null && number > before;
    }

    /** The very object, whatever it says it is equal to. */
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
