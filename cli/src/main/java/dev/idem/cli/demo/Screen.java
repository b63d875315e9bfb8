package dev.idem.cli.demo;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How large the terminal is. */
record Screen(int rows, int columns) {
    /** As terminals were once. */
    static final Screen USUAL = new Screen(24, 80);

    private static final Pattern SIZE = Pattern.compile("([1-9]\\d{0,3}) ([1-9]\\d{0,3})");

    /** As the environment says, else as the terminal does. */
    static Screen of(Map<String, String> env) {
        Matcher given = SIZE.matcher(env.getOrDefault("LINES", "24") + " " + env.getOrDefault("COLUMNS", ""));
        Matcher size = given.matches() ? given : SIZE.matcher(stty());
        return size.matches() ? new Screen(Integer.parseInt(size.group(1)), Integer.parseInt(size.group(2))) : USUAL;
    }

    /** Whether there is room for a table and the event above it. */
    boolean holdsTable() {
        return rows > 8 && columns >= 40;
    }

    private static String stty() {
        try {
            Process process = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
