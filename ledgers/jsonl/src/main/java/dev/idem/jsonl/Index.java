package dev.idem.jsonl;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where the newest line of each entry stands, and what has to be known without reading it. Arrays of numbers with open
 * addressing, some 50 bytes a slot: the entries themselves stay on the disk.
 */
final class Index {
    private static final int LARGEST = 1 << 29;

    private final ReentrantLock lock = new ReentrantLock();
    private long[] high;
    private long[] low;
    /** Where the line begins; 0, where every file has its first line, for a free slot. */
    private long[] offset;

    private int[] length;
    private long[] fence;
    private long[] due;
    private int[] replays;
    private byte[] state;
    private int size;
    private long liveBytes;

    Index(long expected) {
        int capacity = 1024;
        while (capacity < LARGEST && full(capacity) < expected) {
            capacity *= 2;
        }
        high = new long[capacity];
        low = new long[capacity];
        offset = new long[capacity];
        length = new int[capacity];
        fence = new long[capacity];
        due = new long[capacity];
        replays = new int[capacity];
        state = new byte[capacity];
    }

    /**
     * Where an entry stands.
     *
     * @param kind what its newest line says of it
     * @param due when a purge has something to do, in microseconds since 1970
     */
    record Place(long offset, int length, long fence, LineHead.Kind kind, long due, int replays) {}

    /** How many entries so many slots take. */
    private static int full(int capacity) {
        return capacity / 4 * 3;
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
            int slot = slot(hash.high(), hash.low());
            return offset[slot] == 0 ? null : place(slot);
        } finally {
            lock.unlock();
        }
    }

    /** Does what a line says. */
    void apply(Change change) {
        lock.lock();
        try {
            int slot = slot(change.hashHigh(), change.hashLow());
            boolean there = offset[slot] != 0;
            switch (change.kind()) {
                case FORGOTTEN, PURGED -> {
                    if (there) {
                        liveBytes -= length[slot];
                        remove(slot);
                    }
                }
                case REPLAYED -> {
                    if (there && fence[slot] == change.fence()) {
                        replays[slot] = change.replays();
                    }
                }
                default -> {
                    liveBytes += change.length() - (there ? length[slot] : 0);
                    put(slot, change);
                    if (!there && ++size > full(high.length)) {
                        grow();
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void put(int slot, Change change) {
        high[slot] = change.hashHigh();
        low[slot] = change.hashLow();
        offset[slot] = change.offset();
        length[slot] = change.length();
        fence[slot] = change.fence();
        due[slot] = change.due();
        replays[slot] = change.replays();
        state[slot] = (byte) change.kind().code;
    }

    /** The slot of an address, or the free one where it would go. */
    private int slot(long hashHigh, long hashLow) {
        int mask = high.length - 1;
        int slot = (int) hashLow & mask;
        while (offset[slot] != 0 && (low[slot] != hashLow || high[slot] != hashHigh)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    /** Frees a slot and moves up those that had gone past it. */
    private void remove(int freed) {
        int mask = high.length - 1;
        int hole = freed;
        for (int slot = hole + 1 & mask; offset[slot] != 0; slot = slot + 1 & mask) {
            int home = (int) low[slot] & mask;
            boolean between = hole <= slot ? hole < home && home <= slot : hole < home || home <= slot;
            if (!between) {
                move(slot, hole);
                hole = slot;
            }
        }
        offset[hole] = 0;
        size--;
    }

    private void move(int from, int to) {
        high[to] = high[from];
        low[to] = low[from];
        offset[to] = offset[from];
        length[to] = length[from];
        fence[to] = fence[from];
        due[to] = due[from];
        replays[to] = replays[from];
        state[to] = state[from];
    }

    private void grow() {
        if (high.length >= LARGEST) {
            throw new IllegalStateException("a JSONL ledger holds at most " + full(LARGEST) + " entries");
        }
        Index larger = new Index(full(high.length) + 1L);
        for (int slot = 0; slot < high.length; slot++) {
            if (offset[slot] != 0) {
                int to = larger.slot(high[slot], low[slot]);
                larger.put(to, change(slot));
            }
        }
        high = larger.high;
        low = larger.low;
        offset = larger.offset;
        length = larger.length;
        fence = larger.fence;
        due = larger.due;
        replays = larger.replays;
        state = larger.state;
    }

    private Change change(int slot) {
        return new Change(
                high[slot], low[slot], kind(slot), offset[slot], length[slot], fence[slot], due[slot], replays[slot]);
    }

    private LineHead.Kind kind(int slot) {
        return LineHead.Kind.of(state[slot]);
    }

    private Place place(int slot) {
        return new Place(offset[slot], length[slot], fence[slot], kind(slot), due[slot], replays[slot]);
    }

    /** Where all newest lines begin, in no order. */
    long[] offsets() {
        lock.lock();
        try {
            long[] all = new long[size];
            int next = 0;
            for (long each : offset) {
                if (each != 0) {
                    all[next++] = each;
                }
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** Up to so many places where a purge has something to do by then. */
    List<Place> due(long by, int limit) {
        List<Place> found = new ArrayList<>();
        lock.lock();
        try {
            for (int slot = 0; slot < due.length && found.size() < limit; slot++) {
                if (due[slot] <= by && offset[slot] != 0) {
                    found.add(place(slot));
                }
            }
        } finally {
            lock.unlock();
        }
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
            for (int slot = 0; slot < offset.length; slot++) {
                if (offset[slot] != 0
                        && fence[slot] < below
                        && ((kinds >>> state[slot] & 1) != 0 || due[slot] <= dueBy)) {
                    visitor.see(place(slot));
                }
            }
        } finally {
            lock.unlock();
        }
    }
}
