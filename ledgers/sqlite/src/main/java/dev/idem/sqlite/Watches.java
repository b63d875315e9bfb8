package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.ledger.Awaitable.Watch;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Those who wait for entries in this process. */
final class Watches {
    private static final System.Logger LOG = System.getLogger(Watches.class.getName());

    private final ConcurrentHashMap<Address, List<Runnable>> watchers = new ConcurrentHashMap<>();

    Watch add(Address address, Runnable wake) {
        // Each watch is an object of its own, so that closing one of two with the same callback closes that one.
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

    boolean isEmpty() {
        return watchers.isEmpty();
    }

    /** After a change of one entry. */
    void wake(Address address) {
        if (watchers.isEmpty()) {
            return;
        }
        List<Runnable> list = watchers.get(address);
        if (list != null) {
            list.forEach(Watches::call);
        }
    }

    /** After a change of nobody knows which entry. */
    void wakeAll() {
        watchers.values().forEach(list -> list.forEach(Watches::call));
    }

    private static void call(Runnable wake) {
        try {
            wake.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a waiter could not be woken", e);
        }
    }
}
