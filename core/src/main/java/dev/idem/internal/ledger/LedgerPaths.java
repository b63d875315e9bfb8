package dev.idem.internal.ledger;

import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import dev.idem.spi.LedgerUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * The paths of ledgers that are files, and checks that do not open them.
 *
 * @param scheme the scheme of their URLs
 * @param usual the usual name of a file
 * @param shown what stands before a path in messages
 */
public record LedgerPaths(String scheme, String usual, String shown) {
    /** The path in a URL. */
    public Path of(LedgerUrl url) {
        String rest = url.rest();
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(
                    scheme + ": needs the path of a file, for instance " + scheme + ":" + usual);
        }
        if (rest.startsWith("//") && !rest.startsWith("///")) {
            throw new IllegalArgumentException(
                    url + " names a host; write " + scheme + ":path or " + scheme + ":/absolute/path");
        }
        try {
            return Path.of(rest).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(url + " is no path: " + e.getReason(), e);
        }
    }

    /**
     * The real path of a file, so that two names of one file are equal. A missing folder is not created: a mistyped path
     * would be an empty ledger, and finished operations would run again.
     */
    public Path locate(Path given) {
        Path parent = given.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(given + " is a folder. " + inside(given));
        }
        try {
            if (!Files.isDirectory(parent)) {
                throw noFolder(given, parent);
            }
            if (Files.exists(given)) {
                return given.toRealPath();
            }
            if (Files.isSymbolicLink(given)) {
                throw new LedgerUnavailableException(
                        "ledger " + shown + given + " is a symbolic link to a file that does not exist. "
                                + "Remove the link, or create what it points to",
                        null);
            }
            return parent.toRealPath()
                    .resolve(Objects.requireNonNull(given.getFileName(), "a file has a name")
                            .toString());
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "the folder of ledger " + shown + given + " can't be looked at (" + reason(e)
                            + "). Check that this user may read it, or name another ledger",
                    e);
        }
    }

    private LedgerUnavailableException noFolder(Path given, Path parent) {
        String why = Files.exists(parent)
                ? " is no folder. Check the path, or name another ledger"
                : " does not exist. Check the path, or make the folder first: mkdir -p " + parent;
        return new LedgerUnavailableException("the folder of ledger " + shown + given + why, null);
    }

    /** Throws unless a path that exists is that of a file. */
    public void requireFile(Path path) {
        if (Files.isDirectory(path)) {
            throw refused(path, "is a directory. " + inside(path));
        } else if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw refused(path, "is not a regular file. Name another file");
        }
    }

    /** Throws unless the folder of a file can be written, for the reason that a message gives. */
    public void requireWritableFolder(Path path, String reason) {
        if (!Files.isWritable(Objects.requireNonNull(path.getParent(), "a file has a folder"))) {
            throw refused(
                    path,
                    "is in a folder that is read-only for this user. " + reason
                            + ": make the folder writable, or name another ledger");
        }
    }

    /** Throws unless a ledger can be read; it is not opened to be written. */
    public void requireReadable(Path path) {
        if (Files.isDirectory(path)) {
            throw refused(path, "is a directory. " + inside(path));
        } else if (path.toFile().length() == 0) {
            throw refused(path, "does not exist or is empty. Check the path: reading does not create a ledger");
        } else if (!Files.isReadable(path)) {
            throw refused(path, "can't be read by this user");
        }
    }

    private String inside(Path folder) {
        return "Name a file in it, for instance " + scheme + ":" + folder.resolve(usual);
    }

    public LedgerUnreadableException refused(Path path, String why) {
        return new LedgerUnreadableException("ledger " + shown + path + " " + why, null);
    }

    /** The attributes of a new file that its owner alone may read and write. */
    public static FileAttribute<?>[] ownerOnly(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /** The kind and the message of an error. */
    public static String reason(IOException e) {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }
}
