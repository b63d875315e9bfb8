package dev.idem.clikit.score;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The words {@link Score} is called with.
 *
 * @param atLeast the score that is demanded
 * @param yes whether it need not ask
 */
record ScoreLine(ScoreOptions options, int atLeast, boolean yes) {
    static final String HELP = """
            score [options] -- TOOL ARGS…

            Grades how safely a mutating command of any program can be retried, from 0 to 3, by running it.

              --watch DIR          files under DIR show what happened
              --probe COMMAND      the output of COMMAND shows what happened
              --swap OLD=NEW       the argument that makes it another payload; one is chosen unless told
              --key-option NAME    the option that takes the key; --idempotency-key
              --timeout SECONDS    how long one run may take; 60
              --at-least N         end with 1 when the score is lower
              --yes                do not ask
              --json               one JSON object
            """;

    static boolean asksForHelp(List<String> args) {
        List<String> options = options(args);
        return options.contains("--help") || options.contains("-h");
    }

    static ScoreLine parse(List<String> args) {
        int end = args.indexOf("--");
        Reader reader = new Reader(new ArrayList<>(options(args)));
        boolean yes = reader.flag("--yes");
        reader.flag("--json");
        String watch = reader.value("--watch");
        String probe = reader.value("--probe");
        String swap = reader.value("--swap");
        String keyOption = reader.value("--key-option");
        int timeout = reader.number("--timeout", (int) ScoreOptions.TIMEOUT.toSeconds());
        int atLeast = reader.number("--at-least", 0);
        reader.requireEmpty();
        ScoreOptions options = new ScoreOptions(
                end < 0 ? List.of() : args.subList(end + 1, args.size()),
                watch == null ? null : Path.of(watch),
                probe,
                swap,
                keyOption == null ? ScoreOptions.KEY_OPTION : keyOption,
                Duration.ofSeconds(timeout));
        return new ScoreLine(options, atLeast, yes);
    }

    private static List<String> options(List<String> args) {
        int end = args.indexOf("--");
        return end < 0 ? args : args.subList(0, end);
    }

    /** Takes options out of a list of words. */
    private record Reader(List<String> words) {
        boolean flag(String name) {
            return words.remove(name);
        }

        @Nullable
        String value(String name) {
            for (int i = 0; i < words.size(); i++) {
                if (words.get(i).startsWith(name + "=")) {
                    return words.remove(i).substring(name.length() + 1);
                }
                if (words.get(i).equals(name)) {
                    words.remove(i);
                    if (i == words.size()) {
                        throw ScoreOptions.usage(name + " needs a value");
                    }
                    return words.remove(i);
                }
            }
            return null;
        }

        int number(String name, int byDefault) {
            String text = value(name);
            if (text != null && !text.matches("[0-9]{1,6}")) {
                throw ScoreOptions.usage(name + " is a number, not '" + text + "'");
            }
            return text == null ? byDefault : Integer.parseInt(text);
        }

        void requireEmpty() {
            if (!words.isEmpty()) {
                throw ScoreOptions.usage("'" + words.get(0) + "' is no option of score");
            }
        }
    }
}
