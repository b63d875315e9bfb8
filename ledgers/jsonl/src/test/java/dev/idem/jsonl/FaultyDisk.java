package dev.idem.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** The disk of this host with faults to order: a sync that fails or waits, room that ends. */
final class FaultyDisk implements Disk {
    private final Disk real = new RealDisk();
    private final AtomicInteger syncs = new AtomicInteger();
    private volatile boolean failNextSync;
    private volatile long room = Long.MAX_VALUE;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /** How often a file was to be synced. */
    int syncs() {
        return syncs.get();
    }

    void failNextSync() {
        failNextSync = true;
    }

    /** No file grows beyond so many bytes. */
    void room(long bytes) {
        room = bytes;
    }

    /** Lets syncs wait until the latch is opened. */
    CountDownLatch holdSyncs() {
        gate = new CountDownLatch(1);
        return gate;
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new Faulty(real.open(file));
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        return new Faulty(real.create(file));
    }

    @Override
    public boolean exists(Path file) {
        return real.exists(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        real.rename(from, to);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        real.syncFolder(folder);
    }

    @Override
    public void delete(Path file) throws IOException {
        real.delete(file);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return real.lock(file);
    }

    private final class Faulty implements OpenFile {
        private final OpenFile file;

        Faulty(OpenFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(long at, byte[] into, int from, int length) throws IOException {
            return file.read(at, into, from, length);
        }

        @Override
        public void write(long at, byte[] bytes, int from, int length) throws IOException {
            int fits = (int) Math.max(0, Math.min(length, room - at));
            file.write(at, bytes, from, fits);
            if (fits < length) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            syncs.incrementAndGet();
            if (gate.getCount() > 0) {
                CountDownLatch closed = gate;
                Fixtures.until(() -> closed.getCount() == 0);
            }
            if (failNextSync) {
                failNextSync = false;
                throw new IOException("Input/output error");
            }
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
