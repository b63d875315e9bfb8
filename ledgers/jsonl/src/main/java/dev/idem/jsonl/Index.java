package dev.idem.jsonl;

import dev.idem.Address;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** Where the newest line of each row is. The rows themselves stay on the disk. One thread at a time changes it. */
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

    /** The addresses of rows with a lower fence, the highest first. A row that gets a new fence meanwhile may be met twice. */
    Map<Long, Address> below(long fence) {
        return byFence.headMap(fence).descendingMap();
    }

    /** How many bytes of the file are the newest lines of rows. Of the thread that changes it. */
    long liveBytes() {
        return liveBytes;
    }

    void apply(Change change) {
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
