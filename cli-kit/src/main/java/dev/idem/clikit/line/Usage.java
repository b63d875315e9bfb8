package dev.idem.clikit.line;

import dev.idem.command.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The answers to lines that picocli refuses. */
public final class Usage {
    private Usage() {}

    public static Answer answer(ParameterException wrong) {
        return BadArguments.answer("USAGE", wrong.getMessage() + ". Nothing was done")
                .fix("correct the arguments")
                .fixCommand(help(wrong.getCommandLine().getCommandSpec()))
                .suggestion(nearest(wrong));
    }

    /** The line names a group of commands, but no command. */
    public static Answer noCommand(CommandSpec spec) {
        String names = String.join(", ", spec.subcommands().keySet());
        return BadArguments.answer("USAGE", "name one of the commands " + names)
                .fix("name a command")
                .fixCommand(help(spec));
    }

    private static @Nullable String help(CommandSpec spec) {
        for (var option : spec.options()) {
            if (option.usageHelp()) {
                return spec.qualifiedName() + " " + option.longestName();
            }
        }
        return null;
    }

    private static @Nullable String nearest(ParameterException wrong) {
        List<String> near =
                wrong instanceof UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        return near.isEmpty() ? null : "did you mean " + String.join(" or ", near) + "?";
    }
}
