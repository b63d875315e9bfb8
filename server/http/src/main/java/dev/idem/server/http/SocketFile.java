package dev.idem.server.http;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/**
 * The file of a unix socket, for its user alone. A lock beside it tells whether a server has it, so that a file which a
 * server has left behind can be replaced.
 */
final class SocketFile implements AutoCloseable {
    /** What the system takes, less the zero at its end and the sign of a file that is being made. */
    private static final int LONGEST = 106;

    private final Path path;
    private final FileChannel channel;

    private SocketFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Takes the place of a socket. Throws {@link IllegalStateException} if a server has it. */
    static SocketFile take(Path path) throws IOException {
        int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > LONGEST) {
            throw new IOException("the path of a socket has at most " + LONGEST + " bytes, and " + path + " has "
                    + length + "; give a shorter one");
        }
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null) {
            throw new IOException(path + " has no folder");
        }
        makeOwn(folder);
        FileChannel channel = FileChannel.open(
                folder.resolve(path.getFileName() + ".lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        FileLock lock;
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            lock = null;
        }
        if (lock == null) {
            channel.close();
            throw new IllegalStateException("a server runs at " + path + " already");
        }
        if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            BasicFileAttributes found =
                    Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            if (!found.isOther()) {
                channel.close();
                throw new IOException(path + " is there already, and is no socket; give another --socket");
            }
        }
        SocketFile file = new SocketFile(path, channel);
        Files.deleteIfExists(file.unfinished());
        return file;
    }

    /** Makes the folder, or checks that nobody else may enter it. */
    private static void makeOwn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            return;
        }
        Set<PosixFilePermission> others = EnumSet.copyOf(Files.getPosixFilePermissions(folder));
        others.removeAll(PosixFilePermissions.fromString("rwx------"));
        if (!others.isEmpty()) {
            throw new IOException(
                    "others may enter " + folder + "; give a folder for this user alone: chmod 700 " + folder);
        }
    }

    Path path() {
        return path;
    }

    /** Where to bind it. */
    Path unfinished() {
        return path.resolveSibling(path.getFileName() + "~");
    }

    /** Puts the socket in its place, once it takes connections: a program that sees the file can connect. */
    void finish() throws IOException {
        Files.setPosixFilePermissions(unfinished(), PosixFilePermissions.fromString("rw-------"));
        Files.move(unfinished(), path, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the socket, and keeps its place. */
    void remove() throws IOException {
        Files.deleteIfExists(unfinished());
        Files.deleteIfExists(path);
    }

    /** Gives up its place. The lock file stays: another server may be waiting for it. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
