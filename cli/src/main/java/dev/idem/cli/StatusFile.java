package dev.idem.cli;

import dev.idem.cli.syntax.UsageException;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;

/**
 * A file that gets the JSON object, atomically.
 *
 * @param special whether it is a device, a pipe or an open descriptor, which is written to and never replaced
 */
record StatusFile(Path path, boolean special) {

    /** Refuses a path that can't be written to, before anything runs. */
    static StatusFile check(String given, Path directory, String source) {
        Path path;
        try {
            path = directory.resolve(given);
        } catch (InvalidPathException e) {
            throw new UsageException(source + ": '" + given + "' is no path");
        }
        Path folder = path.getParent();
        if (given.isEmpty() || Files.isDirectory(path)) {
            throw new UsageException(source + ": '" + given + "' is a directory; name a file");
        }
        if (folder != null && isSpecial(path)) {
            if (!isOpenForWriting(folder, path)) {
                throw new UsageException(source + ": '" + given + "' can't be written to");
            }
            return new StatusFile(path, true);
        }
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new UsageException(source + ": the folder of '" + given + "' is not there or can't be written to");
        }
        return new StatusFile(path, false);
    }

    /** The folder /dev/shm holds ordinary files in memory. */
    private static boolean isSpecial(Path path) {
        return (path.startsWith("/dev") && !path.startsWith("/dev/shm"))
                || path.startsWith("/proc")
                || (Files.exists(path) && !Files.isRegularFile(path));
    }

    /** A descriptor that the caller did not open may be a file of the virtual machine, which it only reads. */
    private static boolean isOpenForWriting(Path folder, Path path) {
        try {
            Path opened = folder.toRealPath().resolve(path.getFileName());
            return Files.isWritable(path)
                    && (!Files.isSymbolicLink(opened)
                            || !opened.startsWith("/proc")
                            || Files.getPosixFilePermissions(opened, LinkOption.NOFOLLOW_LINKS)
                                    .contains(PosixFilePermission.OWNER_WRITE));
        } catch (IOException e) {
            return false;
        }
    }

    /** Replaces the file by one that only this user can read: it holds the command's output. */
    void write(String json) throws IOException {
        byte[] line = (json + "\n").getBytes(StandardCharsets.UTF_8);
        if (special) {
            try (OutputStream out = new FileOutputStream(path.toFile(), true)) {
                out.write(line);
            }
            return;
        }
        Path folder = path.toAbsolutePath().getParent();
        Path fresh = Files.createTempFile(folder, ".idem-status-", null);
        try {
            Files.write(fresh, line);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
