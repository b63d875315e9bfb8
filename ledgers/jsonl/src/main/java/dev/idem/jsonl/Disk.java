package dev.idem.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/** The file system as this ledger uses it, so that tests can pull the plug on one of their own. */
interface Disk {
    /** Opens a file that is there, to read and to write. */
    OpenFile open(Path file) throws IOException;

    /** Makes a new, empty file for its owner alone; one that is there is replaced. */
    OpenFile create(Path file) throws IOException;

    boolean exists(Path file);

    /** Puts a file in the place of another, in one step. Lasts once the folder is synced. */
    void rename(Path from, Path to) throws IOException;

    /** Writes through which names a folder has. */
    void syncFolder(Path folder) throws IOException;

    /** Removes a file, if it is there. */
    void delete(Path file) throws IOException;

    /** Holds a lock file until it is closed; throws {@link HeldException} when another process does. */
    Closeable lock(Path file) throws IOException;

    /** Whether what is written can be read by others and later. */
    default boolean isLasting() {
        return true;
    }

    /** A file that is open. Reads may come from any thread; one thread at a time writes. */
    interface OpenFile extends Closeable {
        long size() throws IOException;

        /** Reads as much as there is, at most {@code length}; says how much. */
        int read(long at, byte[] into, int from, int length) throws IOException;

        void write(long at, byte[] bytes, int from, int length) throws IOException;

        void truncate(long size) throws IOException;

        /** Writes through what was written. */
        void sync() throws IOException;
    }

    /** Says that another process holds a lock. */
    final class HeldException extends IOException {
        private static final long serialVersionUID = 1;

        HeldException(String holder) {
            super(holder);
        }
    }
}
