package dev.idem.sqlite;

import dev.idem.LedgerException;
import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/**
 * The path of a database file and checks that do not open it.
 *
 * <p>Closing an existing file would drop the locks that SQLite holds on it in this process, and two writers could
 * damage it.
 */
final class DatabaseFile {
    private final Path path;

    private DatabaseFile(Path path) {
        this.path = path;
    }

    /**
     * The real path of the file, so that two names of one file are equal. A missing folder is not created: a mistyped
     * path would be an empty ledger, and finished operations would run again.
     */
    static DatabaseFile locate(Path given) {
        if (given.toString().indexOf('?') >= 0) {
            throw new IllegalArgumentException(
                    "the path of a SQLite ledger can't contain a question mark: " + given + ". Name another file");
        }
        Path parent = given.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(
                    given + " is a folder. Name a file in it, for instance sqlite:" + given.resolve("idem.db"));
        }
        try {
            if (!Files.isDirectory(parent)) {
                throw noFolder(given, parent);
            }
            if (Files.exists(given)) {
                return new DatabaseFile(given.toRealPath());
            }
            if (Files.isSymbolicLink(given)) {
                throw new LedgerUnavailableException(
                        "ledger " + given + " is a symbolic link to a file that does not exist. "
                                + "Remove the link, or create what it points to",
                        null);
            }
            return new DatabaseFile(parent.toRealPath()
                    .resolve(Objects.requireNonNull(given.getFileName(), "a file has a name")
                            .toString()));
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "the folder of ledger " + given + " can't be looked at (" + reason(e)
                            + "). Check that this user may read it, or name another ledger",
                    e);
        }
    }

    private static LedgerUnavailableException noFolder(Path given, Path parent) {
        String why = Files.exists(parent)
                ? " is no folder. Check the path, or name another ledger"
                : " does not exist. Check the path, or make the folder first: mkdir -p " + parent;
        return new LedgerUnavailableException("the folder of ledger " + given + why, null);
    }

    Path path() {
        return path;
    }

    Path lockFile() {
        return path.resolveSibling(path.getFileName() + ".lock");
    }

    /** Whether the file exists and is not empty. */
    boolean hasContent() {
        return path.toFile().length() > 0;
    }

    /** Throws if the file can't be used, as far as that is visible without opening it. */
    void requireUsable() {
        if (Files.isDirectory(path)) {
            throw refused("is a directory. Name a file in it, for instance sqlite:" + path.resolve("idem.db"));
        }
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw refused("is not a regular file. Name another file");
        }
        if (Files.exists(path) && !Files.isWritable(path)) {
            throw refused("is read-only for this user. Make it writable, or name another ledger");
        }
        Path folder = Objects.requireNonNull(path.getParent(), "a file has a folder");
        if (!Files.isWritable(folder)) {
            throw refused("is in a folder that is read-only for this user. SQLite keeps more files beside it: "
                    + "make the folder writable, or name another ledger");
        }
    }

    /** The same for a file that is only read. */
    void requireReadable() {
        if (Files.isDirectory(path)) {
            throw refused("is a directory. Name a file in it, for instance sqlite:" + path.resolve("idem.db"));
        }
        if (!hasContent()) {
            throw refused("does not exist or is empty. Check the path: reading does not create a ledger");
        }
        if (!Files.isReadable(path)) {
            throw refused("can't be read by this user");
        }
    }

    /** Creates it empty, with access for its owner only, before SQLite opens it. */
    void createIfMissing() {
        createPrivately(path);
    }

    /** Creates a file with access for its owner only; SQLite's side files get the mode of the database. */
    static void createPrivately(Path file) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.createFile(file, ownerOnly(file, "rw-------"));
        } catch (FileAlreadyExistsException e) {
            // Another process created it first.
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "ledger file " + file + " can't be created (" + reason(e)
                            + "). Check that this user may write to its folder, or name another ledger",
                    e);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path file, String permissions) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }

    private LedgerException refused(String why) {
        return new LedgerUnreadableException("ledger " + path + " " + why, null);
    }
}
