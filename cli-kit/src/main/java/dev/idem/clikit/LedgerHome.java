package dev.idem.clikit;

import dev.idem.LedgerUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/** Where the entries of a program live when nobody says: in the user's folder for state. */
final class LedgerHome {
    private LedgerHome() {}

    /** The URL of {@code IDEM_LEDGER}, or of a SQLite file in a folder that is made if it is not there. */
    static String url(String program, Map<String, String> env) {
        String given = env.getOrDefault("IDEM_LEDGER", "");
        if (!given.isEmpty()) {
            return given;
        }
        Path folder = stateFolder(env).resolve(program);
        try {
            create(folder);
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "the folder " + folder + " for the ledger can't be made: " + e
                            + ". Give another place with IDEM_LEDGER=sqlite:/path/idem.db",
                    e);
        }
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
            throw new BadArguments("neither HOME nor XDG_STATE_HOME says where the ledger is; give "
                    + "IDEM_LEDGER=sqlite:/path/idem.db");
        }
        return Path.of(home, ".local", "state");
    }

    private static void create(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(folder);
        }
    }
}
