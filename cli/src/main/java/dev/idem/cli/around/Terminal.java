package dev.idem.cli.around;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is known about the terminal this program was started at. */
public final class Terminal {
    private Terminal() {}

    /** Whether stdin is a terminal. */
    public static boolean isStdin() {
        return is(0);
    }

    /** Whether this descriptor of the process is a terminal. */
    static boolean is(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /** Whether this program's process group is the one its terminal sends signals to. */
    public static boolean inForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            // Behind the command's name: state, parent, group, session, terminal, foreground group.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        } catch (IOException e) {
            return false;
        }
    }
}
