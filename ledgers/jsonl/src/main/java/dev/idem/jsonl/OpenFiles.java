package dev.idem.jsonl;

import dev.idem.jsonl.disk.LookingDisk;
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
 * share it; it is closed with the last of them.
 */
final class OpenFiles {
    private static final ConcurrentHashMap<Path, Shared> SHARED = new ConcurrentHashMap<>();

    private OpenFiles() {}

    private static final class Shared {
        final ReentrantLock lock = new ReentrantLock();

        @Nullable
        LedgerFile file;

        int users;
    }

    /** A use of a file, to be ended once. */
    interface Use {
        /** Always the same file; for a read-only use its current state. */
        LedgerFile file();

        void end();
    }

    static Use of(JsonlOptions options, Instant now) {
        Path path = FilePlace.locate(options.path());
        JsonlOptions located = new JsonlOptions(path, options.compactFrom());
        Shared shared = SHARED.computeIfAbsent(path, at -> new Shared());
        shared.lock.lock();
        try {
            LedgerFile file = shared.file;
            if (file == null || file.isDead()) {
                file = Opening.open(Environment.real(), located, now);
                shared.file = file;
                shared.users = 0;
            }
            shared.users++;
            return new SharedUse(shared, file);
        } finally {
            shared.lock.unlock();
        }
    }

    /** A read-only use, which shows the current state of the file. */
    static Use looking(JsonlOptions options, Supplier<Instant> clock) {
        Path path = options.path();
        FilePlace.PATHS.requireReadable(path);
        LookingUse use = new LookingUse(new JsonlOptions(path, options.compactFrom()), clock);
        use.file();
        return use;
    }

    /** Reads the file again after its owner has written to it or replaced it. */
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

        private record Look(LedgerFile file, List<@Nullable Object> version) {}

        @Override
        public LedgerFile file() {
            lock.lock();
            try {
                // Taken before the file is read: a concurrent write is seen at the next read.
                List<@Nullable Object> version = version();
                Look look = last;
                if (look == null || !look.version().equals(version)) {
                    LookingDisk disk = new LookingDisk();
                    look = new Look(Opening.open(Environment.looking(disk), options, clock.get()), version);
                    disk.close();
                    // The previous one is not closed: another thread may still read it, and it holds only memory.
                    last = look;
                }
                return look.file();
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
                look.file().close();
            }
        }
    }

    private record SharedUse(Shared shared, LedgerFile file) implements Use {
        @Override
        public void end() {
            shared.lock.lock();
            try {
                // A dead file may have been replaced in the map.
                boolean current = file.equals(shared.file);
                if (!current || --shared.users == 0) {
                    file.close();
                    shared.file = current ? null : shared.file;
                }
            } finally {
                shared.lock.unlock();
            }
        }
    }
}
