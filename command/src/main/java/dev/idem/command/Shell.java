package dev.idem.command;

import java.util.List;

/** Words as a shell reads them. */
public final class Shell {
    private Shell() {}

    /** The word, in quotes where a shell would take it for something else. */
    public static String quote(String word) {
        boolean plain = !word.isEmpty();
        for (int i = 0; i < word.length() && plain; i++) {
            char c = word.charAt(i);
            plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "_-./:=@%+,".indexOf(c) >= 0;
        }
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** The words as one line. */
    public static String line(List<String> words) {
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            line.append(line.isEmpty() ? "" : " ").append(quote(word));
        }
        return line.toString();
    }
}
