package dev.idem.jsonl.disk;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * A lock between processes on a file of its own, which is never renamed or removed: a compaction replaces the ledger
 * file, and a lock on it would stay on the old file. The lock file names its holder.
 */
final class LockFile implements Disk.Lock {
    private static final int LONGEST_NAME = 500;

    private static final Queue<RandomAccessFile> NEVER_CLOSED = new ConcurrentLinkedQueue<>();

    private final Reservation reservation;
    private final Path path;
    private final @Nullable Object key;
    private final RandomAccessFile file;

    private LockFile(Reservation reservation, Path path, @Nullable Object key, RandomAccessFile file) {
        this.reservation = reservation;
        this.path = path;
        this.key = key;
        this.file = file;
    }

    /** Takes the lock, or throws {@link Disk.HeldException} with the name of its holder. */
    static LockFile hold(Path path) throws IOException {
        Reservation reservation = Reservation.of(path.toRealPath());
        try {
            return hold(path, reservation);
        } catch (OverlappingFileLockException e) {
            // The system properties were changed. The reservation stays: the holder of the lock will release both.
            throw new Disk.HeldException(reservation.holder());
        } catch (IOException | RuntimeException | Error e) {
            reservation.close();
            throw e;
        }
    }

    private static LockFile hold(Path path, Reservation reservation) throws IOException {
        // Taken before the file is opened, so that it never belongs to a file that has replaced the open one.
        Object key = key(path);
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        try {
            if (file.getChannel().tryLock() == null) {
                throw new Disk.HeldException(holder(file));
            }
            byte[] name = self().getBytes(StandardCharsets.UTF_8);
            file.setLength(0);
            file.write(name);
            return new LockFile(reservation, path, key, file);
        } catch (OverlappingFileLockException e) {
            // Closing the file would drop the lock of the other copy, so it stays open.
            NEVER_CLOSED.add(file);
            throw e;
        } catch (IOException | RuntimeException | Error e) {
            file.close();
            throw e;
        }
    }

    /**
     * Reserves a lock file for one ledger in this virtual machine. A process that closes any descriptor of a file loses
     * all its locks on it, so a second copy of this class, from another class loader, must not even open the file. All
     * copies share the system properties.
     */
    private record Reservation(String name, String holder) implements Closeable {
        static Reservation of(Path path) throws Disk.HeldException {
            String holder = "this process itself, pid "
                    + ProcessHandle.current().pid() + ", by another class loader or a ledger that is being closed";
            Reservation wanted = new Reservation("dev.idem.jsonl:" + path, holder);
            if (System.getProperties().putIfAbsent(wanted.name, holder) != null) {
                throw new Disk.HeldException(holder);
            }
            return wanted;
        }

        @Override
        public void close() {
            System.getProperties().remove(name);
        }
    }

    private static String holder(RandomAccessFile file) throws IOException {
        byte[] name = new byte[(int) Math.min(LONGEST_NAME, file.length())];
        file.seek(0);
        file.readFully(name);
        String text = new String(name, StandardCharsets.UTF_8).trim();
        return text.isEmpty() ? "a process that has not given its name" : text;
    }

    private static String self() {
        return "pid " + ProcessHandle.current().pid() + " on host " + hostName() + "\n";
    }

    /** Asks no name server, which may take long to answer. */
    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException e) {
            String name = System.getenv("COMPUTERNAME");
            return name == null ? "unknown" : name;
        }
    }

    @Override
    public void requireInPlace() throws IOException {
        if (!Objects.equals(key, key(path))) {
            throw new IOException("its lock file " + path + " was replaced");
        }
    }

    /** Null where files have no keys: there an open file can't be removed either. */
    private static @Nullable Object key(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    /** Releases the lock. The name stays in the file; it is valid only while the lock is held. */
    @Override
    public void close() throws IOException {
        try {
            file.close();
        } finally {
            reservation.close();
        }
    }
}
