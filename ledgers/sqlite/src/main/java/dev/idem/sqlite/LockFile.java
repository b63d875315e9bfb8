package dev.idem.sqlite;

import dev.idem.LedgerUnavailableException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** A lock between processes, and between the threads of this one, while a database is created or migrated. */
final class LockFile {
    /**
     * One lock for all ledgers of the process: file locks belong to the process, and closing any channel on a lock file
     * drops the lock that another thread has taken.
     */
    private static final ReentrantLock IN_PROCESS = new ReentrantLock();

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path file;
    private final Duration patience;

    /** The file is never removed: otherwise two processes could hold the lock. */
    LockFile(Path file, Duration patience) {
        this.file = file;
        this.patience = patience;
    }

    /**
     * Runs an action under the lock.
     *
     * @param meanwhile called while another process holds the lock; a present value is returned instead of the action's
     */
    <T> T whileHeld(Supplier<T> action, Supplier<Optional<T>> meanwhile) {
        long deadline = System.nanoTime() + patience.toNanos();
        enter();
        try {
            DatabaseFile.createPrivately(file);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                while (!tryLock(channel)) {
                    Optional<T> instead = meanwhile.get();
                    if (instead.isPresent()) {
                        return instead.get();
                    }
                    if (System.nanoTime() - deadline > 0) {
                        throw busy();
                    }
                    LockSupport.parkNanos(1 + ThreadLocalRandom.current().nextLong(LONGEST_PAUSE));
                }
                return action.get();
            }
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "lock file " + file + " can't be used (" + e.getMessage()
                            + "). Check that this user may write there, or name another ledger",
                    e);
        } finally {
            IN_PROCESS.unlock();
        }
    }

    private void enter() {
        try {
            if (!IN_PROCESS.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerUnavailableException("interrupted while another thread opened a ledger", e);
        }
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Held in this process by a copy of this class from another class loader.
            return false;
        }
    }

    private LedgerUnavailableException busy() {
        return new LedgerUnavailableException(
                "another process has been creating or migrating the ledger of lock file " + file + " for more than "
                        + patience.toMillis() + " ms. Try again, or wait longer with ?busy=60s",
                null);
    }
}
