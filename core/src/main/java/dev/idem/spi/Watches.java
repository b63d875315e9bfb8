package dev.idem.spi;

import dev.idem.Address;
import dev.idem.spi.Awaitable.Watch;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The watches of an {@link Awaitable} ledger: the callers in this process that wait for entries. */
public final class Watches {
    private final ConcurrentHashMap<Address, List<Runnable>> watchers = new ConcurrentHashMap<>();

    /** Makes an empty set of watches. */
    public Watches() {}

    /** Adds a watch. */
    public Watch add(Address address, Runnable wake) {
        // An object of its own, so that closing one of two with the same callback, even twice, closes that one.
        Runnable own = () -> wake.run();
        watchers.compute(address, (at, list) -> {
            List<Runnable> all = list == null ? new CopyOnWriteArrayList<>() : list;
            all.add(own);
            return all;
        });
        return () -> watchers.computeIfPresent(address, (at, list) -> {
            list.remove(own);
            return list.isEmpty() ? null : list;
        });
    }

    /** Whether there is no watch. */
    public boolean isEmpty() {
        return watchers.isEmpty();
    }

    /** Wakes the watches of one entry, after it has changed. */
    public void wake(Address address) {
        if (watchers.isEmpty()) {
            return;
        }
        List<Runnable> list = watchers.get(address);
        if (list != null) {
            list.forEach(Watches::run);
        }
    }

    /** Wakes all watches, after a change of an unknown entry. */
    public void wakeAll() {
        watchers.values().forEach(list -> list.forEach(Watches::run));
    }

    /** Calls a watcher. Its exception must not reach the caller that made the change. */
    private static void run(Runnable wake) {
        try {
            wake.run();
        } catch (Throwable e) {
            System.getLogger("dev.idem").log(Level.WARNING, "a watcher threw; the change stands", e);
        }
    }
}
