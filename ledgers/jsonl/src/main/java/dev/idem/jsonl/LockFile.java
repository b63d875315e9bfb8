package dev.idem.jsonl;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A lock between processes, held on a file of its own that is never renamed nor removed: a lock on the ledger itself
 * would stay behind on the old file whenever a compaction puts a new one in its place. The file names its holder.
 */
final class LockFile implements Closeable {
    private static final int LONGEST_NAME = 500;

    private final RandomAccessFile file;

    private LockFile(RandomAccessFile file) {
        this.file = file;
    }

    /** Takes the lock, or throws {@link Disk.HeldException} with the name of who has it. */
    static LockFile hold(Path path) throws IOException {
        RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        boolean held = false;
        try {
            held = tryLock(file);
            if (!held) {
                throw new Disk.HeldException(holder(file));
            }
            byte[] name = self().getBytes(StandardCharsets.UTF_8);
            file.setLength(0);
            file.write(name);
            return new LockFile(file);
        } finally {
            if (!held) {
                file.close();
            }
        }
    }

    private static boolean tryLock(RandomAccessFile file) throws IOException {
        try {
            return file.getChannel().tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Held in this process by a copy of this class from another class loader.
            return false;
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

    /** Without asking any name server, which may take long to know nothing. */
    private static String hostName() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/hostname")).trim();
        } catch (IOException e) {
            String told = System.getenv("COMPUTERNAME");
            return told == null ? "unknown" : told;
        }
    }

    /** Lets go. The name stays in the file; it counts only while the lock is held. */
    @Override
    public void close() throws IOException {
        file.close();
    }
}
