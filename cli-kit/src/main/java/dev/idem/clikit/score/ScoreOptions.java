package dev.idem.clikit.score;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to grade, and how.
 *
 * @param command the program and its arguments, without key
 * @param watch the folder whose files show what happened; null to look at none
 * @param probe a shell command whose output shows what happened; null for none
 * @param swapFrom the argument that is replaced to have another payload; null to choose one
 * @param keyOption the option that takes the key
 * @param atLeast the score that is demanded
 */
record ScoreOptions(
        List<String> command,
        @Nullable Path watch,
        @Nullable String probe,
        @Nullable String swapFrom,
        @Nullable String swapTo,
        String keyOption,
        Duration timeout,
        int atLeast,
        boolean yes,
        boolean help) {
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

    static ScoreOptions parse(List<String> args) {
        int end = args.indexOf("--");
        List<String> options = end < 0 ? args : args.subList(0, end);
        List<String> command = end < 0 ? List.of() : args.subList(end + 1, args.size());
        if (options.contains("--help") || options.contains("-h")) {
            return new ScoreOptions(List.of(), null, null, null, null, "", Duration.ZERO, 0, false, true);
        }
        Reader reader = new Reader(new ArrayList<>(options));
        boolean yes = reader.flag("--yes");
        reader.flag("--json");
        String watch = reader.value("--watch");
        String probe = reader.value("--probe");
        String swap = reader.value("--swap");
        String keyOption = reader.value("--key-option");
        int timeout = reader.number("--timeout", 60);
        int atLeast = reader.number("--at-least", 0);
        reader.requireEmpty();
        if (command.isEmpty()) {
            throw usage("name the command to grade behind --");
        }
        if (watch != null && !Files.isDirectory(Path.of(watch))) {
            throw usage("--watch: " + watch + " is no folder");
        }
        if (swap != null && !(swap.indexOf('=') > 0)) {
            throw usage("--swap is OLD=NEW, not '" + swap + "'");
        }
        String from = swap == null ? null : swap.substring(0, swap.indexOf('='));
        if (from != null && !command.contains(from)) {
            throw usage("--swap: the command has no argument '" + from + "'");
        }
        return new ScoreOptions(
                List.copyOf(command),
                watch == null ? null : Path.of(watch),
                probe,
                from,
                swap == null ? null : swap.substring(swap.indexOf('=') + 1),
                keyOption == null ? "--idempotency-key" : keyOption,
                Duration.ofSeconds(timeout),
                atLeast,
                yes,
                false);
    }

    /** Whether anything but the program's own word shows what happened. */
    boolean watches() {
        return watch != null || probe != null;
    }

    private static ScoreRefused usage(String message) {
        return new ScoreRefused("usage", message + ". Nothing was run");
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
                        throw usage(name + " needs a value");
                    }
                    return words.remove(i);
                }
            }
            return null;
        }

        int number(String name, int byDefault) {
            String text = value(name);
            if (text != null && !text.matches("[0-9]{1,6}")) {
                throw usage(name + " is a number, not '" + text + "'");
            }
            return text == null ? byDefault : Integer.parseInt(text);
        }

        void requireEmpty() {
            if (!words.isEmpty()) {
                throw usage("'" + words.get(0) + "' is no option of score");
            }
        }
    }
}
