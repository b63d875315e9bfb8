package dev.idem.jsonl;

import dev.idem.jsonl.disk.Disk;
import dev.idem.jsonl.disk.FileMark;
import dev.idem.jsonl.line.RowChange;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A disk in memory whose plug can be pulled. What was not synced is then there, or not, or in part: sector by sector,
 * in any order, as a disk with a write cache may have it. Names that were not synced come in their order, up to some.
 */
final class CuttableDisk implements Disk {
    private static final int SECTOR = 512;

    /** A step that it leaves out on purpose. */
    enum Fault {
        NONE,
        FILES_ARE_NOT_SYNCED,
        FOLDERS_ARE_NOT_SYNCED
    }

    private final Fault fault;
    private Map<Path, Inode> names = new HashMap<>();
    private Map<Path, Inode> lastingNames = new HashMap<>();
    private List<Map<Path, Inode>> pendingNames = new ArrayList<>();
    private long operations;
    private long crashAt = Long.MAX_VALUE;
    private Random crash = new Random(0);

    CuttableDisk(Fault fault) {
        this.fault = fault;
    }

    /** How much was done to it. */
    long operations() {
        return operations;
    }

    /** Lets the operation after so many fail half way, and all that follow. */
    void crashAfter(long more, Random random) {
        crashAt = operations + more + 1;
        crash = random;
    }

    /** Starts again with what the system still had in its memory: only the process has ended. */
    void restart() {
        crashAt = Long.MAX_VALUE;
    }

    /** Pulls the plug and starts again. */
    void cut(Random random) {
        names = pendingNames.isEmpty() || random.nextBoolean()
                ? new HashMap<>(lastingNames)
                : new HashMap<>(pendingNames.get(random.nextInt(pendingNames.size())));
        names.values().stream().distinct().forEach(inode -> inode.cut(random));
        lastingNames = new HashMap<>(names);
        pendingNames = new ArrayList<>();
        restart();
    }

    /** Puts a file there, synced. */
    void put(Path file, byte[] content) {
        Inode inode = new Inode();
        inode.cached = content.clone();
        inode.lasting = content.clone();
        names.put(file, inode);
        lastingNames.put(file, inode);
    }

    /** The names that are there, but for one. */
    List<Path> namesBeside(Path file) {
        return names.keySet().stream().filter(name -> !name.equals(file)).toList();
    }

    byte[] content(Path file) {
        return names.get(file).cached.clone();
    }

    private boolean crashes() throws IOException {
        operations++;
        if (operations > crashAt) {
            throw new IOException("the plug was pulled");
        }
        return operations == crashAt;
    }

    private void changeNames(RowChange change) throws IOException {
        boolean crashes = crashes();
        if (!crashes || crash.nextBoolean()) {
            change.of(names);
            pendingNames.add(new HashMap<>(names));
        }
        if (crashes) {
            throw new IOException("the plug was pulled");
        }
    }

    private interface RowChange {
        void of(Map<Path, Inode> names);
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        Inode inode = names.get(file);
        if (inode == null) {
            throw new FileNotFoundException(file.toString());
        }
        return inode;
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        Inode inode = new Inode();
        changeNames(all -> all.put(file, inode));
        return inode;
    }

    @Override
    public boolean exists(Path file) {
        return names.containsKey(file);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        changeNames(all -> all.put(to, all.remove(from)));
    }

    @Override
    public void syncFolder(Path folder) throws IOException {
        if (crashes()) {
            throw new IOException("the plug was pulled");
        }
        if (fault != Fault.FOLDERS_ARE_NOT_SYNCED) {
            lastingNames = new HashMap<>(names);
            pendingNames = new ArrayList<>();
        }
    }

    @Override
    public FileMark mark(Path file) throws IOException {
        Inode inode = (Inode) open(file);
        return new FileMark(inode, inode.size());
    }

    @Override
    public void delete(Path file) throws IOException {
        if (names.containsKey(file)) {
            changeNames(all -> all.remove(file));
        }
    }

    @Override
    public Lock lock(Path file) {
        return () -> {};
    }

    /** A file, by whatever names it has. */
    private final class Inode implements OpenFile {
        private byte[] cached = new byte[0];
        private byte[] lasting = new byte[0];
        private final List<Write> pending = new ArrayList<>();

        @Override
        public long size() {
            return cached.length;
        }

        @Override
        public int read(long at, byte[] into, int from, int length) {
            int there = (int) Math.max(0, Math.min(length, cached.length - at));
            System.arraycopy(cached, (int) Math.min(at, cached.length), into, from, there);
            return there;
        }

        @Override
        public void write(long at, byte[] bytes, int from, int length) throws IOException {
            boolean crashes = crashes();
            int done = crashes ? crash.nextInt(length + 1) : length;
            Write write = new Write((int) at, Arrays.copyOfRange(bytes, from, from + done));
            cached = write.on(cached, 0, done);
            pending.add(write);
            if (crashes) {
                throw new IOException("the plug was pulled");
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            if (crashes()) {
                throw new IOException("the plug was pulled");
            }
            cached = Arrays.copyOf(cached, (int) size);
            pending.add(new Write((int) size, null));
        }

        @Override
        public void sync() throws IOException {
            if (crashes()) {
                if (crash.nextBoolean()) {
                    // As systems do: what could not be written counts as written, is still read, and never gets there.
                    pending.clear();
                }
                throw new IOException("the plug was pulled");
            }
            if (fault != Fault.FILES_ARE_NOT_SYNCED) {
                for (Write write : pending) {
                    lasting = write.bytes == null
                            ? Arrays.copyOf(lasting, write.at)
                            : write.on(lasting, 0, write.bytes.length);
                }
                pending.clear();
            }
        }

        void cut(Random random) {
            byte[] left = lasting.clone();
            int odds = random.nextInt(5);
            for (Write write : pending) {
                if (write.bytes == null) {
                    left = random.nextBoolean() ? left : Arrays.copyOf(left, Math.min(left.length, write.at));
                    continue;
                }
                for (int from = 0; from < write.bytes.length; from += SECTOR - (write.at + from) % SECTOR) {
                    int to = Math.min(write.bytes.length, from + SECTOR - (write.at + from) % SECTOR);
                    if (random.nextInt(4) < odds) {
                        left = write.on(left, from, to);
                    }
                }
            }
            lasting = left;
            cached = left.clone();
            pending.clear();
        }

        @Override
        public void close() {}
    }

    /** Bytes that were written; null for the end of the file. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Write(int at, byte[] bytes) {
        byte[] on(byte[] content, int from, int to) {
            byte[] after = Arrays.copyOf(content, Math.max(content.length, at + to));
            System.arraycopy(bytes, from, after, at + from, to - from);
            return after;
        }
    }
}
