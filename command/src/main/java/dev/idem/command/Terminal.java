package dev.idem.command;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The terminal at which this program was started. */
public final class Terminal {
    /** The size of a terminal, in characters. */
    public record Size(int rows, int columns) {
        /** The size of the classic terminal, assumed if the size is unknown. */
        public static final Size USUAL = new Size(24, 80);

        private static final Pattern FORM = Pattern.compile("(\\d{1,4}) (\\d{1,4})");

        /** Reads {@code 24 80}. A terminal that was told only one of the two says 0 for the other, which is then usual. */
        static Size of(String rowsAndColumns) {
            Matcher form = FORM.matcher(rowsAndColumns);
            return form.matches()
                    ? new Size(known(form.group(1), USUAL.rows), known(form.group(2), USUAL.columns))
                    : USUAL;
        }

        private static int known(String number, int otherwise) {
            int known = Integer.parseInt(number);
            return known == 0 ? otherwise : known;
        }
    }

    private Terminal() {}

    /** Whether stdin is a terminal. */
    public static boolean isStdin() {
        return is(0);
    }

    /** Whether this descriptor of the process is a terminal. False without {@code /proc}. */
    public static boolean is(int descriptor) {
        try {
            String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor))
                    .toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * The size of the terminal: from {@code COLUMNS} and {@code LINES}, else from the terminal itself, else 24 lines of
     * 80 characters. It starts a process, so only commands that draw should use it.
     */
    public static Size size(Map<String, String> env) {
        String given = env.getOrDefault("LINES", "0") + " " + env.getOrDefault("COLUMNS", "0");
        return Size.of(Size.FORM.matcher(given).matches() && !given.endsWith(" 0") ? given : stty());
    }

    private static String stty() {
        try {
            Process process = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(Redirect.DISCARD)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Whether this program's process group is the one its terminal sends signals to. */
    public static boolean inForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"), StandardCharsets.ISO_8859_1);
            // After the command's name: state, parent, group, session, terminal, foreground group.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return fields[2].equals(fields[5]);
        } catch (IOException e) {
            return false;
        }
    }
}
