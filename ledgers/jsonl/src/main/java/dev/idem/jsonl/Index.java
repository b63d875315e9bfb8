package dev.idem.jsonl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where the newest line of each entry stands, and what has to be known without reading it: the entries themselves stay
 * on the disk.
 *
 * <p>Open addressing in one array of numbers, six for a slot, so that to look at one takes a single trip to memory.
 */
final class Index {
    private static final int LARGEST = 1 << 28;
    private static final int SMALLEST = 1 << 8;

    /** How many slots are looked at before others get a turn. */
    private static final int LOOK = 1 << 14;

    private static final int STRIDE = 6;
    private static final int HIGH = 0;
    private static final int LOW = 1;
    /** Where the line begins; 0, where every file has its first line, for a free slot. */
    private static final int OFFSET = 2;

    private static final int FENCE = 3;
    private static final int DUE = 4;
    /** The line's length, 32 bits; what kind it is, 4 bits; how often the entry has answered, 28 bits. */
    private static final int REST = 5;

    private static final int KIND_SHIFT = 28;
    private static final int KIND_MASK = 15;
    private static final int MOST_REPLAYS = (1 << KIND_SHIFT) - 1;

    private final ReentrantLock lock = new ReentrantLock();
    private long[] slots;
    private int capacity;
    private int size;
    private long liveBytes;

    Index(long expected) {
        capacity = SMALLEST;
        while (capacity < LARGEST && full(capacity) < expected) {
            capacity *= 2;
        }
        slots = new long[capacity * STRIDE];
    }

    /**
     * Where an entry stands.
     *
     * @param kind what its newest line says of it
     * @param due when a purge has something to do, in microseconds since 1970
     */
    record Place(long offset, int length, long fence, LineHead.Kind kind, long due, int replays) {}

    /** How many entries so many slots take. */
    private static int full(int slots) {
        return slots / 4 * 3;
    }

    int size() {
        lock.lock();
        try {
            return size;
        } finally {
            lock.unlock();
        }
    }

    /** How many bytes of the file are the newest lines of entries. */
    long liveBytes() {
        lock.lock();
        try {
            return liveBytes;
        } finally {
            lock.unlock();
        }
    }

    @Nullable
    Place find(AddressHash.Value hash) {
        lock.lock();
        try {
            int at = at(hash.high(), hash.low());
            return slots[at + OFFSET] == 0 ? null : place(at);
        } finally {
            lock.unlock();
        }
    }

    /** Does what lines say. */
    void apply(List<Change> changes) {
        lock.lock();
        try {
            for (Change change : changes) {
                apply(change);
            }
        } finally {
            lock.unlock();
        }
    }

    private void apply(Change change) {
        int at = at(change.hashHigh(), change.hashLow());
        boolean there = slots[at + OFFSET] != 0;
        switch (change.kind()) {
            case FORGOTTEN, PURGED -> {
                if (there) {
                    liveBytes -= length(at);
                    remove(at / STRIDE);
                }
            }
            case REPLAYED -> {
                if (there && slots[at + FENCE] == change.fence()) {
                    slots[at + REST] = rest(length(at), kind(at), change.replays());
                }
            }
            default -> {
                liveBytes += change.length() - (there ? length(at) : 0);
                put(at, change);
                if (!there && ++size > full(capacity)) {
                    grow();
                }
            }
        }
    }

    private void put(int at, Change change) {
        slots[at + HIGH] = change.hashHigh();
        slots[at + LOW] = change.hashLow();
        slots[at + OFFSET] = change.offset();
        slots[at + FENCE] = change.fence();
        slots[at + DUE] = change.due();
        slots[at + REST] = rest(change.length(), change.kind(), change.replays());
    }

    private static long rest(int length, LineHead.Kind kind, int replays) {
        return (long) length << 32 | (long) kind.code << KIND_SHIFT | Math.min(replays, MOST_REPLAYS);
    }

    private int length(int at) {
        return (int) (slots[at + REST] >>> 32);
    }

    private int code(int at) {
        return (int) slots[at + REST] >>> KIND_SHIFT & KIND_MASK;
    }

    private LineHead.Kind kind(int at) {
        return LineHead.Kind.of(code(at));
    }

    private Place place(int at) {
        int replays = (int) slots[at + REST] & MOST_REPLAYS;
        return new Place(slots[at + OFFSET], length(at), slots[at + FENCE], kind(at), slots[at + DUE], replays);
    }

    /** Where the slot of an address begins, or the free one where it would go. */
    private int at(long hashHigh, long hashLow) {
        int mask = capacity - 1;
        int slot = (int) hashLow & mask;
        int at = slot * STRIDE;
        while (slots[at + OFFSET] != 0 && (slots[at + LOW] != hashLow || slots[at + HIGH] != hashHigh)) {
            slot = slot + 1 & mask;
            at = slot * STRIDE;
        }
        return at;
    }

    /** Frees a slot and moves up those that had gone past it. */
    private void remove(int freed) {
        int mask = capacity - 1;
        int hole = freed;
        for (int slot = hole + 1 & mask; slots[slot * STRIDE + OFFSET] != 0; slot = slot + 1 & mask) {
            int home = (int) slots[slot * STRIDE + LOW] & mask;
            boolean between = hole <= slot ? hole < home && home <= slot : hole < home || home <= slot;
            if (!between) {
                System.arraycopy(slots, slot * STRIDE, slots, hole * STRIDE, STRIDE);
                hole = slot;
            }
        }
        slots[hole * STRIDE + OFFSET] = 0;
        size--;
    }

    private void grow() {
        if (capacity >= LARGEST) {
            throw new IllegalStateException("a JSONL ledger holds at most " + full(LARGEST) + " entries");
        }
        long[] old = slots;
        capacity *= 2;
        slots = new long[capacity * STRIDE];
        for (int from = 0; from < old.length; from += STRIDE) {
            if (old[from + OFFSET] != 0) {
                System.arraycopy(old, from, slots, at(old[from + HIGH], old[from + LOW]), STRIDE);
            }
        }
    }

    /** Where all newest lines begin, in no order. */
    long[] offsets() {
        lock.lock();
        try {
            long[] all = new long[size];
            int next = 0;
            for (int at = 0; at < slots.length; at += STRIDE) {
                if (slots[at + OFFSET] != 0) {
                    all[next++] = slots[at + OFFSET];
                }
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Up to so many places where a purge has something to do by then; one that is moved meanwhile may be missed. */
    List<Place> due(long by, int limit) {
        List<Place> found = new ArrayList<>();
        int from = 0;
        do {
            lock.lock();
            try {
                int to = Math.min(slots.length, from + LOOK * STRIDE);
                for (int at = from; at < to && found.size() < limit; at += STRIDE) {
                    if (slots[at + DUE] <= by && slots[at + OFFSET] != 0) {
                        found.add(place(at));
                    }
                }
                from = to == slots.length ? -1 : to;
            } finally {
                lock.unlock();
            }
        } while (from > 0 && found.size() < limit);
        return found;
    }

    /** Sees slots one by one, under the lock: be quick. */
    interface Visitor {
        void see(Place place);
    }

    /**
     * Shows the places with a fence below the given one that the filter lets through.
     *
     * @param kinds a bit for each kind that is wanted
     * @param dueBy those that are due by then are shown whatever their kind is
     */
    void visit(long below, int kinds, long dueBy, Visitor visitor) {
        lock.lock();
        try {
            for (int at = 0; at < slots.length; at += STRIDE) {
                if (slots[at + OFFSET] != 0
                        && slots[at + FENCE] < below
                        && ((kinds >>> code(at) & 1) != 0 || slots[at + DUE] <= dueBy)) {
                    visitor.see(place(at));
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
