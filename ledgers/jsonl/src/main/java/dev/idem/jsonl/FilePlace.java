package dev.idem.jsonl;

import dev.idem.LedgerUnavailableException;
import dev.idem.LedgerUnreadableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Checks the path of a ledger file before it is opened. */
final class FilePlace {
    private FilePlace() {}

    /**
     * The real path of the file, so that two names of one file are equal. Throws if the file can't be used. A missing
     * folder is not created: a mistyped path would be an empty ledger, and finished operations would run again.
     */
    static Path locate(Path given) {
        Path parent = given.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(
                    given + " is a folder. Name a file in it, for instance jsonl:" + given.resolve("idem.jsonl"));
        }
        try {
            if (!Files.isDirectory(parent)) {
                throw noFolder(given, parent);
            }
            if (Files.exists(given)) {
                return requireUsable(given.toRealPath());
            }
            if (Files.isSymbolicLink(given)) {
                throw new LedgerUnavailableException(
                        "ledger jsonl:" + given + " is a symbolic link to a file that does not exist. "
                                + "Remove the link, or create what it points to",
                        null);
            }
            return parent.toRealPath()
                    .resolve(Objects.requireNonNull(given.getFileName(), "a file has a name")
                            .toString());
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "the folder of ledger jsonl:" + given + " can't be looked at (" + Errors.reason(e)
                            + "). Check that this user may read it, or name another ledger",
                    e);
        }
    }

    /** The file of a ledger that is only read: it must exist and be readable. */
    static Path locateToRead(Path given) {
        if (Files.isDirectory(given)) {
            throw refused(
                    given, "is a directory. Name a file in it, for instance jsonl:" + given.resolve("idem.jsonl"));
        } else if (given.toFile().length() == 0) {
            throw refused(given, "does not exist or is empty. Check the path: reading does not create a ledger");
        } else if (!Files.isReadable(given)) {
            throw refused(given, "can't be read by this user");
        }
        return given;
    }

    private static LedgerUnavailableException noFolder(Path given, Path parent) {
        String why = Files.exists(parent)
                ? " is no folder. Check the path, or name another ledger"
                : " does not exist. Check the path, or make the folder first: mkdir -p " + parent;
        return new LedgerUnavailableException("the folder of ledger jsonl:" + given + why, null);
    }

    private static Path requireUsable(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw refused(path, "is a directory. Name a file in it, for instance jsonl:" + path.resolve("idem.jsonl"));
        }
        if (!Files.isRegularFile(path)) {
            throw refused(path, "is not a regular file. Name another file");
        }
        if (!Files.isReadable(path) || !Files.isWritable(path)) {
            throw refused(path, "can't be read and written by this user. Make it writable, or name another ledger");
        }
        if (links(path) > 1) {
            throw refused(
                    path,
                    "has a second name (a hard link). Under each name another process could open it, and a compaction"
                            + " would leave the other name with an old file. Remove the other name, or copy the file"
                            + " and use the copy");
        }
        Path folder = Objects.requireNonNull(path.getParent(), "a file has a folder");
        if (!Files.isWritable(folder)) {
            throw refused(
                    path,
                    "is in a folder that is read-only for this user. A compaction makes a new file beside it: make"
                            + " the folder writable, or name another ledger");
        }
        return path;
    }

    /** The number of names of a file; one where the system does not tell. */
    private static int links(Path path) throws IOException {
        boolean told = path.getFileSystem().supportedFileAttributeViews().contains("unix");
        return told && Files.getAttribute(path, "unix:nlink") instanceof Integer links ? links : 1;
    }

    private static LedgerUnreadableException refused(Path path, String why) {
        return new LedgerUnreadableException("ledger jsonl:" + path + " " + why, null);
    }
}
