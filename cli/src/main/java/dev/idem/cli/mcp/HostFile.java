package dev.idem.cli.mcp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The configuration file of a host. It is replaced in one step, and the old one is kept beside it.
 *
 * @param shown the path by which it was found, for messages
 * @param path the file itself, where symbolic links lead to
 */
record HostFile(Path shown, Path path) {
    private static final long LARGEST = 256L * 1024 * 1024;
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    static HostFile at(Path file) throws IOException {
        return new HostFile(file, file.toRealPath());
    }

    /**
     * The text of the file.
     *
     * @throws CharacterCodingException if it is no UTF-8, which could not be written back unchanged
     */
    String read() throws IOException {
        if (Files.size(path) > LARGEST) {
            throw new IOException("it has more than 256 MiB");
        }
        return Files.readString(path);
    }

    /**
     * Checks that the owner of the file lets it be changed. A file is replaced, so that the system would not refuse; and it
     * refuses an administrator nothing.
     *
     * @throws AccessDeniedException if it is read-only
     */
    void requireWritable() throws IOException {
        PosixFileAttributes now = attributes(path);
        if (!Files.isWritable(path) || (now != null && !now.permissions().contains(PosixFilePermission.OWNER_WRITE))) {
            throw new AccessDeniedException(path.toString(), null, "it is read-only");
        }
    }

    /** Replaces the text of the file and returns the path of the old file. */
    Path write(String before, String after, Instant now) throws IOException {
        requireWritable();
        Path fresh = Files.createTempFile(folder(), ".idem-install-", null);
        try {
            write(fresh, after, StandardOpenOption.WRITE);
            likeOld(fresh);
            Path backup = backup(before, now);
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return backup;
        } finally {
            Files.deleteIfExists(fresh);
        }
    }

    private Path folder() throws IOException {
        Path folder = path.getParent();
        if (folder == null) {
            throw new IOException("it is in no folder");
        }
        return folder;
    }

    /** Never takes the place of an older backup. */
    private Path backup(String text, Instant now) throws IOException {
        String name = path.getFileName() + ".idem-backup-" + STAMP.format(now.atZone(ZoneId.systemDefault()));
        for (int i = 1; ; i++) {
            Path backup = folder().resolve(i == 1 ? name : name + "-" + i);
            try {
                write(backup, text, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
                likeOld(backup);
                return backup;
            } catch (FileAlreadyExistsException e) {
                continue;
            }
        }
    }

    /** Writes a file that others can't read, because it may hold secrets. */
    private void write(Path file, String text, StandardOpenOption... options) throws IOException {
        FileAttribute<?>[] secret = attributes(path) == null
                ? new FileAttribute<?>[0]
                : new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                };
        try (FileChannel channel = FileChannel.open(file, Set.of(options), secret)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Gives a file the owner and the permissions of the old one. */
    private void likeOld(Path file) throws IOException {
        PosixFileAttributes old = attributes(path);
        PosixFileAttributes own = attributes(file);
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (old == null || own == null || view == null) {
            return;
        }
        if (!own.owner().equals(old.owner())) {
            view.setOwner(old.owner());
        }
        if (!own.group().equals(old.group())) {
            try {
                view.setGroup(old.group());
            } catch (IOException e) {
                // Only a member of the group may do this. Another group must not get its permissions.
                if (PosixFilePermissions.toString(old.permissions()).charAt(3) != '-') {
                    throw new IOException("its group can't be kept", e);
                }
            }
        }
        view.setPermissions(old.permissions());
    }

    private static @Nullable PosixFileAttributes attributes(Path file) throws IOException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        return view == null ? null : view.readAttributes();
    }
}
