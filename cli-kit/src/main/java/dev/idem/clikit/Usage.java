package dev.idem.clikit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** What picocli has against a line, as a problem of the envelope. */
final class Usage {
    private Usage() {}

    static Problem problem(ParameterException wrong) {
        CommandSpec spec = wrong.getCommandLine().getCommandSpec();
        return Problem.of("USAGE", wrong.getMessage() + ". Nothing was done")
                .validation()
                .fixRequired("correct the arguments")
                .fixCommand(help(spec))
                .suggestion(nearest(wrong));
    }

    /** A group of commands was named, and none of them. */
    static Problem noCommand(CommandSpec spec) {
        return Problem.of(
                        "USAGE",
                        "name one of the commands "
                                + String.join(", ", spec.subcommands().keySet()))
                .validation()
                .fixRequired("name a command")
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
