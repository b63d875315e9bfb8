package dev.idem.cli;

import dev.idem.Json;
import dev.idem.LedgerException;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.run.Presets;
import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.CommandFirst;
import dev.idem.cli.syntax.Commands;
import dev.idem.cli.syntax.Help;
import dev.idem.cli.syntax.Nearest;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.command.Manifest;
import dev.idem.command.Printable;
import dev.idem.command.Shape;
import dev.idem.command.Shell;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parses a line, runs its command and writes the answer. */
final class CommandLine {
    static final String VERSION = Manifest.version(CommandLine.class);

    private final Surroundings around;

    CommandLine(Surroundings around) {
        this.around = around;
    }

    /** Runs the line and returns the exit code. */
    int run(List<String> given) {
        long from = around.nanos().getAsLong();
        List<String> words = CommandFirst.of(given);
        Command command = words.isEmpty() ? null : Commands.find(words.get(0));
        Syntax syntax = command == null ? null : command.syntax();
        try {
            around.wordsAsTyped().run();
            if (words.isEmpty()) {
                return print(Help.overview());
            }
            String name = words.get(0);
            List<String> rest = words.subList(1, words.size());
            if (name.equals("--version") || name.equals("version")) {
                return print("idem " + VERSION + "\n");
            } else if (name.equals("help") || name.equals("--help") || name.equals("-h")) {
                return help(rest, from);
            } else if (command == null && Commands.isGroup(name)) {
                if (asksForHelp(rest)) {
                    return help(Help.of(Commands.group(name)), rest, from);
                }
                throw new UsageException(Shell.quote(name) + " needs a second word: "
                        + Commands.group(name).stream().map(Syntax::usage).collect(Collectors.joining(", or ")));
            } else if (command == null) {
                throw new UsageException("unknown command " + Shell.quote(name) + Nearest.hint(name, Commands.names())
                        + "; see: " + around.program() + " help");
            } else if (asksForHelp(rest)) {
                return help(helpOf(command.syntax()), rest, from);
            }
            return answer(command, rest, from);
        } catch (UsageException e) {
            Answer answer = Answer.no(ExitCode.ARG_ERROR, "USAGE", e.getMessage() + ". Nothing was run")
                    .fix("correct the arguments")
                    .fixCommand(around.program() + " help" + helped(syntax, words));
            return say(syntax, answer, shape(syntax, words), null, from);
        } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
            Answer answer = Answer.no(ExitCode.GENERAL_ERROR, "INTERNAL", "something went wrong: " + e);
            return say(syntax, endedOr(answer), shape(syntax, words), null, from);
        }
    }

    private int answer(Command command, List<String> words, long from) throws IOException {
        Syntax syntax = command.syntax();
        Arguments arguments = ArgumentParser.parse(syntax, words, around.env());
        Presets.check(arguments, around.env());
        Shape shape = shape(syntax, words);
        String path = syntax.knows(Options.STATUS_FILE) ? arguments.find(Options.STATUS_FILE) : null;
        StatusFile file =
                path == null ? null : StatusFile.check(path, around.directory(), arguments.source(Options.STATUS_FILE));
        Answer answer = endedOr(run(command, arguments));
        Map<String, @Nullable Object> data = answer.data();
        if (syntax.danger() == Danger.SAFE && data != null && !syntax.has(Trait.FIXED_MEMBERS)) {
            data.putIfAbsent("effect", "noop");
        }
        if (syntax.has(Trait.STREAMS) && !arguments.flag(Options.JSON)) {
            answer.summary();
        }
        if (syntax.knows(Options.QUIET) && arguments.flag(Options.QUIET)) {
            answer.quiet();
        }
        return say(syntax, answer, shape, file, from);
    }

    private Answer run(Command command, Arguments arguments) throws IOException {
        try {
            return arguments.find(Options.IDEMPOTENCY_KEY) == null
                    ? command.code().run(around, arguments)
                    : new OncePerKey(around, arguments, command.code()).answer();
        } catch (LedgerException e) {
            return Answer.noLedger(e, "the ledger can't be used")
                    .fixCommand(Suggested.line(around.program(), arguments, "doctor"));
        }
    }

    /** The command to be helped with, as words of {@code idem help}; empty for all. */
    private static String helped(@Nullable Syntax syntax, List<String> words) {
        String group = words.isEmpty() || !Commands.isGroup(words.get(0)) ? "" : " " + words.get(0);
        return syntax == null ? group : " " + syntax.name();
    }

    /** A signal that no command handled ends the call. */
    private Answer endedOr(Answer answer) {
        Integer signal = around.signals().exitCode();
        return signal == null || answer.exit() == signal ? answer : answer.endedBySignal(signal);
    }

    private int help(List<String> rest, long from) {
        for (String name : CommandFirst.of(rest)) {
            if (name.startsWith("-")) {
                continue;
            }
            Command command = Commands.find(name);
            if (Commands.isGroup(name)) {
                return help(Help.of(Commands.group(name)), rest, from);
            } else if (command == null) {
                throw new UsageException("there is no command " + Shell.quote(name));
            }
            return help(Help.of(command.syntax()), rest, from);
        }
        return help(Help.overview(), rest, from);
    }

    /** The help of a command, and of those that begin with its name. */
    private static String helpOf(Syntax syntax) {
        List<Syntax> group = Commands.group(syntax.name());
        return group.isEmpty() ? Help.of(syntax) : Help.of(group);
    }

    /** Help is for people, who pipe it into less: it is text on stdout unless the line has {@code --json}. */
    private int help(String text, List<String> rest, long from) {
        if (!isOn("IDEM_JSON") && !rest.contains(Options.JSON.name())) {
            return print(text);
        }
        Answer answer = Answer.ok("noop")
                .with("text", text)
                .meta("help", true)
                .meta("schema_ref", around.program() + " manifest");
        return say(null, answer, Shape.ENVELOPE, null, from);
    }

    private static boolean asksForHelp(List<String> words) {
        for (String word : words) {
            if (word.equals("--")) {
                return false;
            } else if (word.equals("--help") || word.equals("-h")) {
                return true;
            }
        }
        return false;
    }

    /** Found without parsing the line, so that a line that can't be parsed is answered in the same shape. */
    private Shape shape(@Nullable Syntax syntax, List<String> words) {
        Shape asked = Shape.askedFor(words);
        Shape json = around.env().getOrDefault("IDEM_JSON_SHAPE", "").equals("flat") ? Shape.FLAT : Shape.ENVELOPE;
        List<String> options = words.contains("--") ? words.subList(0, words.indexOf("--")) : words;
        if (asked != null) {
            return options.stream().anyMatch(word -> word.startsWith(Shape.SHAPE_OPTION)) ? asked : json;
        }
        boolean text = isOn("IDEM_TEXT")
                || options.stream().anyMatch(word -> word.equals(Options.TEXT.name()) || isDocument(syntax, word));
        // Without a command the natural output is unknown. Programs read pipes.
        boolean piped = !around.style().people() && !text && (syntax == null || !syntax.has(Trait.NATURAL));
        return piped || isOn("IDEM_JSON") ? json : Shape.TEXT;
    }

    private static boolean isDocument(@Nullable Syntax syntax, String word) {
        Option option = syntax == null || syntax.has(Trait.NATURAL) ? null : syntax.find(word);
        return option != null && option.document();
    }

    private boolean isOn(String variable) {
        return List.of("1", "true", "yes", "on").contains(around.env().getOrDefault(variable, ""));
    }

    private int print(String text) {
        return write(text) ? ExitCode.SUCCESS.number() : ExitCode.PARTIAL_FAILURE.number();
    }

    private int say(@Nullable Syntax syntax, Answer answer, Shape shape, @Nullable StatusFile file, long from) {
        long millis = (around.nanos().getAsLong() - from) / 1_000_000;
        if (file != null || shape != Shape.TEXT) {
            answer.meta("tool_version", VERSION);
        }
        // The answer may not arrive, but the exit of `run` is that of its command.
        int unheard =
                answer.exit() == ExitCode.SUCCESS.number() && (syntax == null || !syntax.has(Trait.PASSES_EXIT_ON))
                        ? ExitCode.PARTIAL_FAILURE.number()
                        : answer.exit();
        if (file != null) {
            if (file.special()) {
                // The reader of a FIFO may never come.
                around.signals().answering(unheard);
            }
            try {
                file.write(Json.write(answer.envelope(millis)));
            } catch (IOException e) {
                answer.warn("STATUS_FILE", "the status file could not be written: " + e);
            }
        }
        around.signals().answering(unheard);
        boolean written = write(shape.of(answer, millis));
        for (String line : answer.lines()) {
            around.complain("idem: " + Printable.text(line) + "\n");
        }
        return written ? answer.exit() : unheard;
    }

    private boolean write(String text) {
        IOException failed = around.print(text);
        if (failed != null) {
            around.complain("idem: stdout can't be written to: " + failed + "\n");
        }
        return failed == null;
    }
}
