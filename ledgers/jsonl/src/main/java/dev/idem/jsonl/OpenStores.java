package dev.idem.jsonl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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
        /** The store: one and the same, or for a look the file as it is now. */
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

    /** Stores of its own on the file as it is when it is looked at; what is written to them goes nowhere. */
    static Use looking(JsonlOptions options, Supplier<Instant> clock) {
        Path path = FilePlace.locateToRead(options.path());
        LookingUse use = new LookingUse(new JsonlOptions(path, options.compactFrom()), clock);
        use.store();
        return use;
    }

    /** Reads the file again once its owner has written to it or has put another in its place. */
    private static final class LookingUse implements Use {
        private final JsonlOptions options;
        private final Supplier<Instant> clock;
        private final ReentrantLock lock = new ReentrantLock();

        @Nullable
        private Look last;

        LookingUse(JsonlOptions options, Supplier<Instant> clock) {
            this.options = options;
            this.clock = clock;
        }

        private record Look(Store store, List<@Nullable Object> version) {}

        @Override
        public Store store() {
            lock.lock();
            try {
                // Before the file is read: what is written meanwhile is seen at the next look.
                List<@Nullable Object> version = version();
                Look look = last;
                if (look == null || !look.version().equals(version)) {
                    LookingDisk disk = new LookingDisk();
                    look = new Look(Opening.open(Environment.looking(disk), options, clock.get()), version);
                    disk.close();
                    // The one before is not closed: another thread may still read it, and it holds memory alone.
                    last = look;
                }
                return look.store();
            } finally {
                lock.unlock();
            }
        }

        private List<@Nullable Object> version() {
            try {
                BasicFileAttributes file = Files.readAttributes(options.path(), BasicFileAttributes.class);
                return Arrays.asList(file.fileKey(), file.size(), file.lastModifiedTime());
            } catch (IOException e) {
                throw new Errors(options.path()).notOpened(e);
            }
        }

        @Override
        public void end() {
            Look look = last;
            if (look != null) {
                look.store().close();
            }
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
