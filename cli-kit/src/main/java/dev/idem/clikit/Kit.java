package dev.idem.clikit;

import dev.idem.IdemException;
import dev.idem.LedgerException;
import dev.idem.clikit.call.Interruption;
import dev.idem.clikit.call.Invocation;
import dev.idem.clikit.call.KitSettings;
import dev.idem.clikit.call.OutcomeAnswers;
import dev.idem.clikit.call.Voice;
import dev.idem.clikit.line.BadArguments;
import dev.idem.clikit.line.ParsedLine;
import dev.idem.clikit.line.Usage;
import dev.idem.clikit.program.Declaration;
import dev.idem.clikit.program.Program;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Signals;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/**
 * Runs the commands of a picocli program: checks all arguments, claims the key, runs the command once, and answers with
 * one envelope and an exit code.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Kit.of(new Orders()).runAndExit(args);
 * }
 * }</pre>
 */
public final class Kit {
    private final Program program;
    private final KitSettings settings;
    private final Voice voice;

    Kit(Program program, KitSettings settings) {
        this.program = program;
        this.settings = settings;
        this.voice = new Voice(program.name(), settings.out(), settings.err(), settings.terminal());
    }

    /**
     * The kit for a program.
     *
     * @param program an object with picocli's {@code @Command}, or a {@link CommandLine}
     */
    public static KitBuilder of(Object program) {
        return new KitBuilder(program instanceof CommandLine there ? there : new CommandLine(program));
    }

    /** Runs a command line and returns its exit code. The caller handles signals. */
    public int run(String... args) {
        return run(List.of(args), new Interruption(Thread.currentThread()));
    }

    int run(List<String> words, Interruption interruption) {
        long from = settings.nanos().getAsLong();
        Answer answer = answer(words, interruption);
        Signals.Caught caught = interruption.caught();
        if (caught != null) {
            answer = interruption.answer(caught, answer);
        }
        if (!interruption.mayAnswer()) {
            Interruption.awaitTheEnd();
        }
        say(answer, words, from);
        interruption.ended().countDown();
        return answer.exit();
    }

    void say(Answer answer, List<String> words, long from) {
        voice.say(answer, words, (settings.nanos().getAsLong() - from) / 1_000_000);
    }

    KitSettings settings() {
        return settings;
    }

    private Answer answer(List<String> words, Interruption interruption) {
        try {
            CommandSpec spec = program.commandLine().getCommandSpec();
            if (words.isEmpty() && program.declaration(spec) == null && !(spec.userObject() instanceof Runnable)) {
                return texts(program.commandLine().getUsageMessage());
            }
            ParseResult top = ParsedLine.parse(program.commandLine(), words);
            ParseResult last = ParsedLine.last(top);
            Answer help = helpOf(top);
            if (help != null) {
                return help;
            }
            Declaration declaration = program.declaration(last.commandSpec());
            return declaration == null
                    ? undeclared(top, last.commandSpec())
                    : new Invocation(settings, program.name(), interruption)
                            .answer(new ParsedLine(words, top, last, declaration))
                            .meta("command", declaration.operation());
        } catch (ParameterException e) {
            return Usage.answer(e);
        } catch (BadArguments e) {
            return e.answer();
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            return broken(e, interruption.acted());
        }
    }

    /** The answer if the kit itself failed. A started command may have had an effect. */
    private static Answer broken(Throwable why, boolean acted) {
        if (acted) {
            String message = "something went wrong after the command had begun: " + why;
            return Answer.no(ExitCode.PARTIAL_FAILURE, "IN_DOUBT", message).error("phase", "execution");
        } else if (why instanceof LedgerException ledger) {
            return OutcomeAnswers.ledger(ledger);
        } else if (why instanceof IdemException refused) {
            return Answer.no(ExitCode.GENERAL_ERROR, "FAILED", String.valueOf(refused.getMessage()))
                    .retryable(refused.mayTryAgain());
        }
        return Answer.no(ExitCode.GENERAL_ERROR, "INTERNAL", "something went wrong: " + why);
    }

    /** The text of {@code --help} or {@code --version}; null if the line has neither. */
    private static @Nullable Answer helpOf(ParseResult top) {
        StringWriter text = new StringWriter();
        for (CommandLine each : top.asCommandLineList()) {
            each.setOut(new PrintWriter(text));
        }
        return CommandLine.executeHelpRequest(top) == null ? null : texts(text.toString());
    }

    /** Answers picocli's own commands, such as help, and groups without a command. */
    private static Answer undeclared(ParseResult top, CommandSpec spec) {
        if (!spec.helpCommand() && !(spec.userObject() instanceof Runnable)) {
            return Usage.noCommand(spec);
        }
        StringWriter text = new StringWriter();
        for (CommandLine each : top.asCommandLineList()) {
            each.setOut(new PrintWriter(text));
        }
        new RunLast().execute(top);
        return texts(text.toString());
    }

    private static Answer texts(String text) {
        return Answer.ok("noop").with("text", text).document(text);
    }
}
