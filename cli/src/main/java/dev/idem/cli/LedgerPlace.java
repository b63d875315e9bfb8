package dev.idem.cli;

import dev.idem.error.LedgerUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Where entries live when nobody says where. */
final class LedgerPlace {
    private LedgerPlace() {}

    /** The URL that was given, or that of the user's own ledger, whose folder is made if it is not there. */
    static String url(Arguments arguments, Map<String, String> env) {
        String given = arguments.find(Syntaxes.LEDGER);
        if (given != null) {
            return given;
        }
        Path folder = stateFolder(env).resolve("idem");
        try {
            if (!Files.isDirectory(folder)) {
                create(folder);
            }
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "the folder " + folder + " for the ledger can't be made: " + e
                            + ". Give another place with --ledger sqlite:/path/idem.db or IDEM_LEDGER",
                    e);
        }
        // Many first calls at once take turns; each of them has a JVM to warm up meanwhile.
        return "sqlite:" + folder.resolve("idem.db") + "?busy=60s";
    }

    private static Path stateFolder(Map<String, String> env) {
        String state = env.getOrDefault("XDG_STATE_HOME", "");
        // The XDG rules say that a relative path is to be ignored.
        if (state.startsWith("/")) {
            return Path.of(state);
        }
        String home = env.getOrDefault("HOME", "");
        if (!home.startsWith("/")) {
            throw new UsageException("neither HOME nor XDG_STATE_HOME says where the ledger is; give --ledger "
                    + "sqlite:/path/idem.db or IDEM_LEDGER");
        }
        return Path.of(home, ".local", "state");
    }

    private static void create(Path folder) throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(folder);
        }
    }
}
