package dev.idem.sqlite;

import dev.idem.LedgerUnavailableException;
import dev.idem.internal.ledger.LedgerPaths;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * The path of a database file and checks that do not open it.
 *
 * <p>Closing an existing file would drop the locks that SQLite holds on it in this process, and two writers could
 * damage it.
 */
final class DatabaseFile {
    static final LedgerPaths PATHS = new LedgerPaths("sqlite", "idem.db", "");

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
        return new DatabaseFile(PATHS.locate(given));
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
        PATHS.requireFile(path);
        if (Files.exists(path) && !Files.isWritable(path)) {
            throw PATHS.refused(path, "is read-only for this user. Make it writable, or name another ledger");
        }
        PATHS.requireWritableFolder(path, "SQLite keeps more files beside it");
    }

    /** The same for a file that is only read. */
    void requireReadable() {
        PATHS.requireReadable(path);
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
            Files.createFile(file, LedgerPaths.ownerOnly(file));
        } catch (FileAlreadyExistsException e) {
            // Another process created it first.
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "ledger file " + file + " can't be created (" + LedgerPaths.reason(e)
                            + "). Check that this user may write to its folder, or name another ledger",
                    e);
        }
    }
}
