package dev.idem.testkit.broken;

import dev.idem.Address;
import dev.idem.Entry;
import dev.idem.spi.Fence;
import dev.idem.spi.browse.TrailLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The entries that stay when a {@link PlainLedger} is closed: one lock around everything. */
public final class PlainStore {
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Address, Entry> entries = new LinkedHashMap<>();
    private final Map<Address, List<TrailLine>> trails = new HashMap<>();
    private final Map<Address, List<Watcher>> watchers = new ConcurrentHashMap<>();
    private long highestFence;

    /** A store without entries. */
    public PlainStore() {}

    ReentrantLock lock() {
        return lock;
    }

    @Nullable
    Entry get(Address address) {
        return entries.get(address);
    }

    void put(Address address, Entry entry) {
        entries.put(address, entry);
    }

    void remove(Address address) {
        entries.remove(address);
    }

    List<Entry> all() {
        lock.lock();
        try {
            return List.copyOf(entries.values());
        } finally {
            lock.unlock();
        }
    }

    Fence nextFence() {
        return new Fence(++highestFence);
    }

    void note(Address address, TrailLine line) {
        trails.computeIfAbsent(address, at -> new ArrayList<>()).add(line);
    }

    List<TrailLine> trail(Address address) {
        lock.lock();
        try {
            return List.copyOf(trails.getOrDefault(address, List.of()));
        } finally {
            lock.unlock();
        }
    }

    Runnable watch(Address address, Runnable wake) {
        Watcher own = new Watcher(wake);
        watchers.computeIfAbsent(address, at -> new CopyOnWriteArrayList<>()).add(own);
        return () -> watchers.getOrDefault(address, List.of()).remove(own);
    }

    void wake(Address address) {
        watchers.getOrDefault(address, List.of()).forEach(Watcher::run);
    }

    /** One subscription; two with the same wake are two. */
    private static final class Watcher {
        final Runnable wake;

        Watcher(Runnable wake) {
            this.wake = wake;
        }

        /** A watcher only watches: what it throws is not the changer's concern. */
        void run() {
            try {
                wake.run();
            } catch (RuntimeException e) {
                System.getLogger(PlainStore.class.getName()).log(System.Logger.Level.DEBUG, "a watcher threw", e);
            }
        }
    }
}
