package dev.idem.cli.around;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** What is known about the terminal this program was started at. */
public final class Terminal {
    private static final int USUAL_COLUMNS = 80;

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

    /**
     * How many characters fit into a line of the terminal: what {@code COLUMNS} says, else the terminal itself, else 80.
     * It starts a process, so it is for those commands that draw.
     */
    public static int columns(Map<String, String> env) {
        String given = env.getOrDefault("COLUMNS", "");
        if (given.matches("[1-9][0-9]{0,3}")) {
            return Integer.parseInt(given);
        }
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(Redirect.DISCARD)
                    .start();
            String[] size =
                    new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).split("\\s+", -1);
            boolean told = size.length > 1 && size[1].matches("[1-9][0-9]{0,3}");
            return told ? Integer.parseInt(size[1]) : USUAL_COLUMNS;
        } catch (IOException e) {
            return USUAL_COLUMNS;
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
