package dev.idem.clikit;

import dev.idem.command.Shell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command line that picocli could parse.
 *
 * @param words as typed, after the program's name
 * @param top the parse result of picocli
 * @param last the command at its end, the one that runs
 */
record ParsedLine(List<String> words, ParseResult top, ParseResult last, Declaration declaration) {
    /** The last command that the line names. */
    static ParseResult last(ParseResult top) {
        ParseResult at = top;
        while (at.hasSubcommand()) {
            at = at.subcommand();
        }
        return at;
    }

    CommandSpec spec() {
        return last.commandSpec();
    }

    boolean dryRun() {
        return last.hasMatchedOption(KitOptions.DRY_RUN);
    }

    boolean confirmed() {
        return last.hasMatchedOption(KitOptions.CONFIRM);
    }

    @Nullable
    String option(String name) {
        String none = null;
        return last.hasMatchedOption(name) ? last.matchedOptionValue(name, none) : none;
    }

    /**
     * How long to wait for a running duplicate; null for the default.
     *
     * @throws BadArguments when it is no time
     */
    @Nullable
    Duration waits() {
        Double none = null;
        Double seconds = last.hasMatchedOption(KitOptions.WAIT) ? last.matchedOptionValue(KitOptions.WAIT, none) : none;
        if (seconds == null) {
            return null;
        }
        if (!(seconds >= 0 && seconds <= 86_400)) {
            throw new BadArguments(KitOptions.WAIT + " is from 0 to 86400 seconds, not " + seconds);
        }
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    /** The same line with more words, as it would be typed into a shell. */
    String shellWith(String... more) {
        List<String> all = new ArrayList<>();
        all.add(top.commandSpec().name());
        int end = words.indexOf("--");
        all.addAll(end < 0 ? words : words.subList(0, end));
        all.addAll(List.of(more));
        if (end >= 0) {
            all.addAll(words.subList(end, words.size()));
        }
        return Shell.line(all);
    }
}
