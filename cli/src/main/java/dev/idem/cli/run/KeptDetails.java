package dev.idem.cli.run;

import dev.idem.cli.recorded.CommandResult;
import dev.idem.cli.recorded.Text;
import dev.idem.command.Printable;
import dev.idem.command.Shell;
import dev.idem.internal.key.Secrets;
import dev.idem.spi.LedgerUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The details of a command that are kept beside its result, for a person who investigates a doubt. */
public enum KeptDetails {
    /** The command line as a label, and with a doubt the end of its output. */
    OPEN,
    /** The same, but only sealed, in the message of a doubt. */
    SEALED,
    /** Neither: words or output may hold secrets. */
    NOTHING;

    /** The maximum length of a label's value. */
    private static final int LONGEST_LABEL = 255;

    private static final String HIDDEN = "***";
    private static final Pattern USER_INFO = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*://)[^\\s/?#]*@");
    private static final Pattern MALFORMED =
            Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://[^\\s/?#@:\\[]*:(?![0-9]{0,5}([/?#]|$))[^/?#@]*[/?#].*@");

    private static final int LONGEST_LINE = 1000;
    private static final int LAST_BYTES = 1200;
    private static final int LAST_LINES = 10;

    /** Labels with the command line. The owner of the entry has the host and the user. */
    Map<String, String> labels(List<String> words) {
        return this == OPEN ? Map.of("command", line(words, LONGEST_LABEL)) : Map.of();
    }

    /** The command line and the last lines of its output; empty if nothing is to be kept. */
    String about(List<String> words, CommandResult result) {
        if (this == NOTHING) {
            return "";
        }
        return "command: " + line(words, LONGEST_LINE)
                + last("stdout", result.output().stdout())
                + last("stderr", result.output().stderr());
    }

    private static String line(List<String> words, int longest) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            shown.add(masked(i == 0 ? "" : words.get(i - 1), words.get(i)));
        }
        return cut(Printable.line(Shell.line(shown)), longest);
    }

    /**
     * A word without the users and passwords of its URLs; nothing of a word that looks like another secret, alone or as the
     * value of the option before it.
     */
    private static String masked(String before, String word) {
        String shown = withoutUserInfo(word);
        String alone = shown.replace(HIDDEN + "@", "");
        boolean isValue = before.startsWith("-") && !word.startsWith("-");
        return Secrets.isIn(alone) || (isValue && Secrets.isIn(before + "=" + alone)) ? HIDDEN : shown;
    }

    private static String withoutUserInfo(String word) {
        if (!word.contains("://") || word.indexOf('@') < 0) {
            return word;
        }
        // A password with a slash or the like makes the URL malformed: its host seems to end before the @.
        return MALFORMED.matcher(word).lookingAt()
                ? LedgerUrl.masked(word)
                : USER_INFO.matcher(word).replaceAll("$1" + HIDDEN + "@");
    }

    private static String last(String name, byte[] written) {
        int from = Math.max(0, written.length - LAST_BYTES);
        byte[] bytes = Arrays.copyOfRange(written, from, written.length);
        // The cut may split a character; binary output is not shown.
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (bytes.length == 0 || (from == 0 && Text.orNull(bytes) == null)) {
            return "";
        }
        List<String> lines = text.lines().toList();
        StringBuilder last = new StringBuilder();
        for (String line : lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size())) {
            last.append('\n').append(name).append(": ").append(Printable.line(line));
        }
        return last.toString();
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        boolean half = Character.isHighSurrogate(text.charAt(longest - 2));
        return text.substring(0, longest - (half ? 2 : 1)) + "…";
    }
}
