package dev.idem.command;

import dev.idem.LedgerUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * The default ledger of a program: a SQLite file in the user's state folder.
 *
 * @param folder the program's own folder there
 * @param instead how a user names another ledger, for messages
 */
public record LedgerHome(Path folder, String instead) {
    /**
     * The home of a program's ledger, which need not exist.
     *
     * @throws IllegalArgumentException when the environment names no folder for it
     */
    public static LedgerHome of(String program, Map<String, String> env, String instead) {
        String state = env.getOrDefault("XDG_STATE_HOME", "");
        String home = env.getOrDefault("HOME", "");
        // The XDG rules say that a relative path is to be ignored.
        if (!state.startsWith("/") && !home.startsWith("/")) {
            throw new IllegalArgumentException(
                    "neither HOME nor XDG_STATE_HOME says where the ledger is; give " + instead);
        }
        Path folder = state.startsWith("/") ? Path.of(state) : Path.of(home, ".local", "state");
        return new LedgerHome(folder.resolve(program), instead);
    }

    /** The URL of the ledger. Many first calls at once take turns, while each of them has a JVM to warm up. */
    public String url() {
        return "sqlite:" + folder.resolve("idem.db") + "?busy=60s";
    }

    /**
     * Creates the folder if it is missing, with access for this user only.
     *
     * @throws LedgerUnavailableException when it can't be made
     */
    public LedgerHome make() {
        try {
            if (Files.isDirectory(folder)) {
                return this;
            } else if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                var ownerOnly = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
                Files.createDirectories(folder, ownerOnly);
            } else {
                Files.createDirectories(folder);
            }
            return this;
        } catch (IOException e) {
            throw new LedgerUnavailableException(
                    "the folder " + folder + " for the ledger can't be made: " + e + ". Give another place with "
                            + instead,
                    e);
        }
    }
}
