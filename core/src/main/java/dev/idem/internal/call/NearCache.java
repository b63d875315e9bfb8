package dev.idem.internal.call;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.State;
import dev.idem.internal.runtime.Clock;
import dev.idem.spi.Fingerprints;
import dev.idem.spi.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Complete entries that this process has seen recently. An entry answers calls with the same fingerprints, for at most
 * the maximum age and never longer than its own retention.
 */
public final class NearCache {
    private final ConcurrentHashMap<Address, Kept> kept = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Address> oldestFirst = new ConcurrentLinkedQueue<>();
    private final Limits limits;
    private final Clock clock;
    private final AtomicLong drops = new AtomicLong();

    NearCache(Limits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
    }

    /** A cache that keeps nothing. */
    static NearCache off(Clock clock) {
        return new NearCache(Limits.OFF, clock);
    }

    /** The size and the maximum age. With 0 entries the cache is off. */
    public record Limits(int entries, Duration maximumAge) {
        public static final Limits OFF = new Limits(0, Duration.ZERO);
    }

    /** The entry, if it is recent enough and has the same fingerprints. */
    @Nullable
    Entry find(Address address, Fingerprints fingerprints) {
        Kept one = limits.entries() == 0 ? null : kept.get(address);
        if (one == null) {
            return null;
        }
        // An old entry stays until it is replaced or evicted: if removed here, it could be queued twice.
        if (clock.nanos() - one.until >= 0) {
            return null;
        }
        return one.entry.fingerprints().equals(fingerprints) ? one.entry : null;
    }

    /** How many entries were dropped. */
    long drops() {
        return drops.get();
    }

    /**
     * Keeps an entry that the ledger has acknowledged as complete.
     *
     * @param before the value of {@link #drops()} before the claim; if it has grown, this entry may be a dropped one
     */
    void keep(Entry entry, long before) {
        if (limits.entries() == 0
                || entry.state() != State.COMPLETE
                || !(entry.settlement() instanceof Settlement.Completed completed)) {
            return;
        }
        Duration left = left(entry, completed.retention().keep());
        Duration age = left.compareTo(limits.maximumAge()) < 0 ? left : limits.maximumAge();
        if (kept.put(entry.address(), new Kept(entry, clock.nanos() + age.toNanos())) == null) {
            oldestFirst.add(entry.address());
        }
        if (drops.get() != before) {
            remove(entry.address());
        }
        while (kept.size() > limits.entries()) {
            Address oldest = oldestFirst.poll();
            if (oldest == null) {
                return;
            }
            kept.remove(oldest);
        }
    }

    /** The length of the eviction queue, for tests. */
    int queued() {
        return oldestFirst.size();
    }

    /** The remaining retention by this process's clock, at most the whole retention. */
    private Duration left(Entry entry, Duration keep) {
        Instant settled = entry.times().settled();
        Duration since =
                settled == null ? Duration.ZERO : Duration.between(settled, Instant.ofEpochMilli(clock.millis()));
        Duration left = since.isNegative() ? keep : keep.minus(since);
        return left.isNegative() ? Duration.ZERO : left;
    }

    void drop(Address address) {
        drops.incrementAndGet();
        remove(address);
    }

    private void remove(Address address) {
        if (kept.remove(address) != null) {
            oldestFirst.remove(address);
        }
    }

    private record Kept(Entry entry, long until) {}
}
