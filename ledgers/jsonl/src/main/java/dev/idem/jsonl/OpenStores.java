package dev.idem.jsonl;

import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The files that this process has open. A file lock belongs to the process, so all ledgers of a process on one file
 * share one store; it is closed with the last of them.
 */
final class OpenStores {
    private static final ConcurrentHashMap<Path, Slot> SLOTS = new ConcurrentHashMap<>();

    private OpenStores() {}

    private static final class Slot {
        final ReentrantLock lock = new ReentrantLock();

        @Nullable
        Store store;

        int users;
    }

    /** A use of a store, to be ended once. */
    interface Use {
        Store store();

        void end();
    }

    static Use of(JsonlOptions options, Instant now) {
        Path path = FilePlace.locate(options.path());
        JsonlOptions located = new JsonlOptions(path, options.compactFrom());
        Slot slot = SLOTS.computeIfAbsent(path, at -> new Slot());
        slot.lock.lock();
        try {
            Store store = slot.store;
            if (store == null || store.isDead()) {
                store = Opening.open(Environment.real(), located, now);
                slot.store = store;
                slot.users = 0;
            }
            slot.users++;
            return new SharedUse(slot, store);
        } finally {
            slot.lock.unlock();
        }
    }

    /** A store of its own on the file as it is now; what is written to it goes nowhere. */
    static Use looking(JsonlOptions options, Instant now) {
        Path path = FilePlace.locateToRead(options.path());
        JsonlOptions located = new JsonlOptions(path, options.compactFrom());
        LookingDisk disk = new LookingDisk();
        Store store = Opening.open(Environment.looking(disk), located, now);
        disk.close();
        return new LookingUse(store);
    }

    private record LookingUse(Store store) implements Use {
        @Override
        public void end() {
            store.close();
        }
    }

    private record SharedUse(Slot slot, Store store) implements Use {
        @Override
        public void end() {
            slot.lock.lock();
            try {
                // One that has ended by itself may have been replaced.
                boolean current = store.equals(slot.store);
                if (!current || --slot.users == 0) {
                    store.close();
                    slot.store = current ? null : slot.store;
                }
            } finally {
                slot.lock.unlock();
            }
        }
    }
}
