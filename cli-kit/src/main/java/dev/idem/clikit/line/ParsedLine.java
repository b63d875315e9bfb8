package dev.idem.clikit.line;

import dev.idem.clikit.program.Declaration;
import dev.idem.clikit.program.KitOptions;
import dev.idem.command.Shell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * A command line that picocli could parse.
 *
 * @param words as typed, after the program's name
 * @param top the parse result of picocli
 * @param last the command at its end, the one that runs
 */
public record ParsedLine(List<String> words, ParseResult top, ParseResult last, Declaration declaration) {
    /** Parses the words. Options of the kit may stand before the command. */
    public static ParseResult parse(CommandLine program, List<String> words) {
        return program.parseArgs(commandFirst(program.getCommandSpec(), words).toArray(new String[0]));
    }

    /** Moves options of the kit, as in {@code orders --idempotency-key k create-order}, to where picocli expects them. */
    private static List<String> commandFirst(CommandSpec top, List<String> words) {
        List<String> kept = new ArrayList<>();
        List<String> moved = new ArrayList<>();
        int at = 0;
        while (at < words.size()
                && words.get(at).startsWith("-")
                && !words.get(at).equals("--")) {
            String word = words.get(at);
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            OptionSpec own = top.findOption(name);
            boolean takesNext = equals < 0
                    && (own == null ? KitOptions.takesValue(name) : own.arity().min() > 0);
            int end = Math.min(words.size(), at + (takesNext ? 2 : 1));
            (own == null && KitOptions.isName(name) ? moved : kept).addAll(words.subList(at, end));
            at = end;
        }
        if (moved.isEmpty()) {
            return words;
        }
        CommandLine command = at < words.size() ? top.subcommands().get(words.get(at)) : null;
        while (command != null) {
            kept.add(words.get(at++));
            command = at < words.size() ? command.getSubcommands().get(words.get(at)) : null;
        }
        kept.addAll(moved);
        kept.addAll(words.subList(at, words.size()));
        return kept;
    }

    /** The last command that the line names. */
    public static ParseResult last(ParseResult top) {
        ParseResult at = top;
        while (at.hasSubcommand()) {
            at = at.subcommand();
        }
        return at;
    }

    public CommandSpec spec() {
        return last.commandSpec();
    }

    public boolean dryRun() {
        return last.hasMatchedOption(KitOptions.DRY_RUN);
    }

    public boolean confirmed() {
        return last.hasMatchedOption(KitOptions.CONFIRM);
    }

    @Nullable
    public String option(String name) {
        String none = null;
        return last.hasMatchedOption(name) ? last.matchedOptionValue(name, none) : none;
    }

    /**
     * The time to wait for a running duplicate; null for the default.
     *
     * @throws BadArguments when it is no time
     */
    @Nullable
    public Duration waits() {
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
    public String shellWith(String... more) {
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
