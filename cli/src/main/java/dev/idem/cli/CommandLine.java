package dev.idem.cli;

import dev.idem.Json;
import dev.idem.cli.around.StatusFile;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.run.Presets;
import dev.idem.cli.syntax.ArgumentParser;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.CommandFirst;
import dev.idem.cli.syntax.Help;
import dev.idem.cli.syntax.Nearest;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.syntax.UpkeepSyntaxes;
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
import java.util.Objects;
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
        Syntax syntax = words.isEmpty() ? null : Syntaxes.find(words.get(0));
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
            } else if (syntax == null && !Syntaxes.group(name).isEmpty()) {
                if (asksForHelp(rest)) {
                    return help(Help.of(Syntaxes.group(name)), rest, from);
                }
                throw new UsageException(Shell.quote(name) + " needs a second word: "
                        + Syntaxes.group(name).stream().map(Syntax::usage).collect(Collectors.joining(", or ")));
            } else if (syntax == null) {
                throw new UsageException("unknown command " + Shell.quote(name)
                        + Nearest.hint(
                                name, Syntaxes.all().stream().map(Syntax::name).toList())
                        + "; see: " + around.program() + " help");
            } else if (asksForHelp(rest)) {
                return help(helpOf(syntax), rest, from);
            }
            return answer(syntax, rest, from);
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

    private int answer(Syntax syntax, List<String> words, long from) throws IOException {
        Arguments arguments = ArgumentParser.parse(syntax, words, around.env());
        Presets.check(arguments, around.env());
        Shape shape = shape(syntax, words);
        String path = syntax.knows(Syntaxes.STATUS_FILE) ? arguments.find(Syntaxes.STATUS_FILE) : null;
        StatusFile file = path == null
                ? null
                : StatusFile.check(path, around.directory(), arguments.source(Syntaxes.STATUS_FILE));
        Answer answer = endedOr(Commands.run(around, arguments));
        Map<String, @Nullable Object> data = answer.data();
        // The specification fixes the members of a manifest.
        if (syntax.danger() == Danger.SAFE && data != null && !syntax.equals(UpkeepSyntaxes.MANIFEST)) {
            data.putIfAbsent("effect", "noop");
        }
        if (UpkeepSyntaxes.streams(syntax) && !arguments.flag(Syntaxes.JSON)) {
            answer.summary();
        }
        if (syntax.knows(Syntaxes.QUIET) && arguments.flag(Syntaxes.QUIET)) {
            answer.quiet();
        }
        return say(syntax, answer, shape, file, from);
    }

    /** The command to be helped with, as words of {@code idem help}; empty for all. */
    private static String helped(@Nullable Syntax syntax, List<String> words) {
        String group = words.isEmpty() || Syntaxes.group(words.get(0)).isEmpty() ? "" : " " + words.get(0);
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
            Syntax syntax = Syntaxes.find(name);
            if (!Syntaxes.group(name).isEmpty()) {
                return help(Help.of(Syntaxes.group(name)), rest, from);
            } else if (syntax == null) {
                throw new UsageException("there is no command " + Shell.quote(name));
            }
            return help(helpOf(syntax), rest, from);
        }
        return help(Help.overview(), rest, from);
    }

    /** The help of a command, and of those that begin with its name. */
    private static String helpOf(Syntax syntax) {
        List<Syntax> group = Syntaxes.group(syntax.name());
        return group.isEmpty() ? Help.of(syntax) : Help.of(group);
    }

    /** Help is for people, who pipe it into less: it is text on stdout unless the line has {@code --json}. */
    private int help(String text, List<String> rest, long from) {
        if (!isOn("IDEM_JSON") && !rest.contains(Syntaxes.JSON.name())) {
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
                || options.stream().anyMatch(word -> word.equals(Syntaxes.TEXT.name()) || isDocument(syntax, word));
        // Without a command the natural output is unknown. Programs read pipes.
        boolean piped = !around.style().people() && !text && (syntax == null || !syntax.plain());
        return piped || isOn("IDEM_JSON") ? json : Shape.TEXT;
    }

    private static boolean isDocument(@Nullable Syntax syntax, String word) {
        Option option = syntax == null || syntax.plain() ? null : syntax.find(word);
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
        int unheard = answer.exit() == ExitCode.SUCCESS.number() && !Objects.equals(syntax, Syntaxes.RUN)
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
