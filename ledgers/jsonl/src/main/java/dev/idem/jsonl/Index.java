package dev.idem.jsonl;

import dev.idem.Address;
import dev.idem.jsonl.line.RowChange;
import dev.idem.jsonl.line.Slot;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Maps each address to its newest line. The rows themselves stay on the disk. One thread at a time changes it. */
final class Index {
    private final ConcurrentMap<Address, Slot> slots = new ConcurrentHashMap<>();
    private final ConcurrentNavigableMap<Long, Address> byFence = new ConcurrentSkipListMap<>();
    private long liveBytes;

    @Nullable
    Slot find(Address at) {
        return slots.get(at);
    }

    /** All slots, in no order. */
    Map<Address, Slot> slots() {
        return slots;
    }

    /** The addresses of rows with a lower fence, highest first. A row with a new fence may appear twice. */
    Map<Long, Address> below(long fence) {
        return byFence.headMap(fence).descendingMap();
    }

    /** The addresses of rows with a higher fence, lowest first. A row with a new fence may appear twice. */
    Map<Long, Address> above(long fence) {
        return byFence.tailMap(fence, false);
    }

    /** The total length of the newest lines. Called by the writing thread only. */
    long liveBytes() {
        return liveBytes;
    }

    void apply(RowChange change) {
        Slot old = slots.get(change.at());
        Slot now = change.after(old);
        liveBytes += length(now) - length(old);
        if (now == null) {
            slots.remove(change.at());
        } else {
            slots.put(change.at(), now);
        }
        if (now != null && (old == null || old.fence() != now.fence())) {
            byFence.put(now.fence(), change.at());
        }
        if (old != null && (now == null || old.fence() != now.fence())) {
            byFence.remove(old.fence());
        }
    }

    private static long length(@Nullable Slot slot) {
        return slot == null ? 0 : slot.length();
    }
}
