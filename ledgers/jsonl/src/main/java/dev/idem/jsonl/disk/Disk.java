package dev.idem.jsonl.disk;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The file system operations of this ledger, so that tests can simulate a power cut. */
public interface Disk {
    /** Opens an existing file for reading and writing. */
    OpenFile open(Path file) throws IOException;

    /** Creates a new, empty file with access for its owner only; replaces an existing file. */
    OpenFile create(Path file) throws IOException;

    boolean exists(Path file);

    /** Replaces a file by another atomically. Durable only after the folder is synced. */
    void rename(Path from, Path to) throws IOException;

    /** Syncs the names in a folder. */
    void syncFolder(Path folder) throws IOException;

    /** The mark of the file that has this name now; throws if there is none. */
    FileMark mark(Path file) throws IOException;

    /** Deletes a file, if it exists. */
    void delete(Path file) throws IOException;

    /** Holds a lock file until it is closed; throws {@link HeldException} if another process holds it. */
    Lock lock(Path file) throws IOException;

    /** Whether writes are durable and visible to other processes. */
    default boolean isLasting() {
        return true;
    }

    /** A lock that is held until it is closed. */
    interface Lock extends Closeable {
        /** Throws if its file was removed or replaced: another process may hold the lock then, too. */
        default void requireInPlace() throws IOException {}
    }

    /** An open file. Any thread may read; one thread at a time writes. */
    interface OpenFile extends Closeable {
        long size() throws IOException;

        /** Reads at most {@code length} bytes and returns their number. */
        int read(long at, byte[] into, int from, int length) throws IOException;

        void write(long at, byte[] bytes, int from, int length) throws IOException;

        void truncate(long size) throws IOException;

        /** Syncs all writes to the disk. */
        void sync() throws IOException;
    }

    /** Another process holds the lock. */
    final class HeldException extends IOException {
        private static final long serialVersionUID = 1;

        HeldException(String holder) {
            super(holder);
        }
    }
}
