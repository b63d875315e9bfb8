package dev.idem.clikit;

import java.util.List;
import java.util.stream.Collectors;

/** Command lines as they are typed into a POSIX shell. */
final class Shell {
    private Shell() {}

    static String line(List<String> words) {
        return words.stream().map(Shell::quote).collect(Collectors.joining(" "));
    }

    private static String quote(String word) {
        return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
