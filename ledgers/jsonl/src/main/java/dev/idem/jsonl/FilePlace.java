package dev.idem.jsonl;

import dev.idem.LedgerUnavailableException;
import dev.idem.internal.ledger.LedgerPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the path of a ledger file before it is opened. */
final class FilePlace {
    static final LedgerPaths PATHS = new LedgerPaths("jsonl", "idem.jsonl", "jsonl:");

    private FilePlace() {}

    /** The real path of a file that can be used, or that does not exist yet. */
    static Path locate(Path given) {
        Path path = PATHS.locate(given);
        try {
            return Files.exists(path) ? requireUsable(path) : path;
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "ledger jsonl:" + given + " can't be looked at (" + LedgerPaths.reason(e)
                            + "). Check that this user may read it, or name another ledger",
                    e);
        }
    }

    private static Path requireUsable(Path path) throws IOException {
        PATHS.requireFile(path);
        if (!Files.isReadable(path) || !Files.isWritable(path)) {
            throw PATHS.refused(
                    path, "can't be read and written by this user. Make it writable, or name another ledger");
        }
        if (links(path) > 1) {
            throw PATHS.refused(
                    path,
                    "has a second name (a hard link). Under each name another process could open it, and a compaction"
                            + " would leave the other name with an old file. Remove the other name, or copy the file"
                            + " and use the copy");
        }
        PATHS.requireWritableFolder(path, "A compaction makes a new file beside it");
        return path;
    }

    /** The number of names of a file; one where the system does not tell. */
    private static int links(Path path) throws IOException {
        boolean countsLinks = path.getFileSystem().supportedFileAttributeViews().contains("unix");
        return countsLinks && Files.getAttribute(path, "unix:nlink") instanceof Integer links ? links : 1;
    }
}
