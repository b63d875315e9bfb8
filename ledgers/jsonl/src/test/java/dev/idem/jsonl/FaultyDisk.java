package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.FileMark;
import dev.idem.jsonl.disk.RealDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** The disk of this host with faults to order: a step that fails or waits, room that ends. */
final class FaultyDisk implements Disk {
    /** A fault in the place of a step, or before it. */
    @FunctionalInterface
    interface Fault {
        void strike() throws IOException;
    }

    private final Disk real = new RealDisk();
    private final AtomicInteger syncs = new AtomicInteger();
    private final AtomicReference<Fault> atSync = new AtomicReference<>();
    private final AtomicReference<Fault> atCreate = new AtomicReference<>();
    private final AtomicReference<Fault> atRename = new AtomicReference<>();
    private final AtomicReference<Fault> atFolderSync = new AtomicReference<>();
    private volatile boolean keys = true;
    private volatile long room = Long.MAX_VALUE;
    private volatile CountDownLatch gate = new CountDownLatch(0);

    /** How often a file was to be synced. */
    int syncs() {
        return syncs.get();
    }

    void failNextSync() {
        atNextSync(() -> {
            throw new IOException("Input/output error");
        });
    }

    void atNextSync(Fault fault) {
        atSync.set(fault);
    }

    void atNextCreate(Fault fault) {
        atCreate.set(fault);
    }

    void atNextRename(Fault fault) {
        atRename.set(fault);
    }

    void atNextFolderSync(Fault fault) {
        atFolderSync.set(fault);
    }

    /** Whether the fault that was ordered for the sync of a folder has struck. */
    boolean folderSyncStruck() {
        return atFolderSync.get() == null;
    }

    private static void strike(AtomicReference<Fault> at) throws IOException {
        Fault fault = at.getAndSet(null);
        if (fault != null) {
            fault.strike();
        }
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
        strike(atCreate);
        return new Faulty(real.create(file));
    }

    @Override
    public boolean exists(Path file) {
        return real.exists(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        strike(atRename);
        real.rename(from, to);
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        strike(atFolderSync);
        real.syncFolder(folder);
    }

    @Override
    public FileMark mark(Path file) throws IOException {
        FileMark mark = real.mark(file);
        return keys ? mark : FileMark.ofContent(file, mark.size());
    }

    /** Acts like a file system without keys of files. */
    void withoutKeys() {
        keys = false;
    }

    @Override
    public void delete(Path file) throws IOException {
        real.delete(file);
    }

    @Override
    public Lock lock(Path file) throws IOException {
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
            strike(atSync);
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
