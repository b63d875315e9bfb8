package dev.idem.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The process that holds the write lock of a database now, as Linux tells it. It opens files of {@code /proc} alone. */
final class LockHolder {
    private static final Path PROC = Path.of("/proc");
    /** The byte of the {@code -shm} file that a writer locks: a part of SQLite's file format. */
    private static final long WRITE_LOCK = 120;

    private LockHolder() {}

    /** A sentence about the process; empty where the system does not tell, or the lock is free by now. */
    static Optional<String> of(Path database) {
        try {
            String file = inode(Path.of(database.toRealPath() + "-shm"));
            for (String line : Files.readAllLines(PROC.resolve("locks"))) {
                String[] words = line.strip().split(" +", -1);
                // A line of a process that waits has one word more.
                if (words.length == 8
                        && words[3].equals("WRITE")
                        && words[5].equals(file)
                        && Long.parseLong(words[6]) <= WRITE_LOCK
                        && (words[7].equals("EOF") || Long.parseLong(words[7]) >= WRITE_LOCK)) {
                    return about(Long.parseLong(words[4]));
                }
            }
            return Optional.empty();
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The device and the number of a file, as Linux writes them. */
    private static String inode(Path file) throws IOException {
        long device = (Long) Files.getAttribute(file, "unix:dev");
        long major = (device >>> 8 & 0xfff) | (device >>> 32 & ~0xfffL);
        long minor = (device & 0xff) | (device >>> 12 & 0xffffff00L);
        return "%02x:%02x:%s".formatted(major, minor, Files.getAttribute(file, "unix:ino"));
    }

    private static Optional<String> about(long pid) {
        if (pid == ProcessHandle.current().pid()) {
            return Optional.of("A transaction of this process holds it now");
        } else if (pid <= 0) {
            return Optional.empty();
        }
        String stat = stat(pid);
        int end = stat.lastIndexOf(')');
        String holder = "Process " + pid + (end < 0 ? "" : " " + stat.substring(stat.indexOf('('), end + 1));
        return Optional.of(
                end >= 0 && stat.startsWith(") T", end)
                        ? holder + " holds it now and is stopped: `kill -CONT " + pid + "` lets it go on"
                        : holder + " holds it now");
    }

    /** The state of a process; empty where it may not be seen. */
    private static String stat(long pid) {
        try {
            // A process may give itself any name.
            return Files.readString(PROC.resolve(Long.toString(pid)).resolve("stat"))
                    .replaceAll("[^ -~]", "?");
        } catch (IOException e) {
            return "";
        }
    }
}
