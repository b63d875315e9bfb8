package dev.idem.jsonl.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A snapshot of the files in memory: repairs by an opening are visible only here, and later writes are refused. So a
 * ledger can be read without write access, and while another process has it open.
 */
public final class LookingDisk implements Disk {
    private volatile boolean closed;

    /** Refuses all later writes, because they would be lost. */
    public void close() {
        closed = true;
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new MemoryFile(Files.readAllBytes(file));
    }

    @Override
    public OpenFile create(Path file) {
        return new MemoryFile(new byte[0]);
    }

    @Override
    public boolean exists(Path file) {
        return Files.exists(file);
    }

    @Override
    public void rename(Path from, Path to) {}

    @Override
    public void syncFolder(Path folder) {}

    @Override
    public FileMark mark(Path file) throws IOException {
        return new FileMark(file, Files.size(file));
    }

    @Override
    public boolean isLasting() {
        return false;
    }

    @Override
    public void delete(Path file) {}

    @Override
    public Lock lock(Path file) {
        return () -> {};
    }

    /** Changed only by the opening thread; read by all threads afterwards. */
    private final class MemoryFile implements OpenFile {
        private byte[] content;

        MemoryFile(byte[] content) {
            this.content = content;
        }

        @Override
        public long size() {
            return content.length;
        }

        @Override
        public int read(long at, byte[] into, int from, int length) {
            int there = (int) Math.max(0, Math.min(length, content.length - at));
            System.arraycopy(content, (int) Math.min(at, content.length), into, from, there);
            return there;
        }

        @Override
        public void write(long at, byte[] bytes, int from, int length) throws IOException {
            if (closed) {
                throw new IOException("the ledger was opened for reading alone");
            }
            int end = Math.toIntExact(at + length);
            if (end > content.length) {
                content = Arrays.copyOf(content, end);
            }
            System.arraycopy(bytes, from, content, (int) at, length);
        }

        @Override
        public void truncate(long size) {
            // After the opening nothing is written, so there is nothing to truncate.
            if (!closed) {
                content = Arrays.copyOf(content, Math.toIntExact(size));
            }
        }

        @Override
        public void sync() {}

        @Override
        public void close() {}
    }
}
