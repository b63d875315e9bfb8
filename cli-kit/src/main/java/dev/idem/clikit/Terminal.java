package dev.idem.clikit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is known about the terminal this program was started at. */
final class Terminal {
    private Terminal() {}

    /** Whether stdout is a terminal. */
    static boolean isStdout() {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            // A system without that folder: programs are served, and people too, who can read JSON.
            return false;
        }
    }
}
