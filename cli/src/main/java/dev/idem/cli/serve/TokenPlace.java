package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.LedgerHome;
import dev.idem.server.TokenFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Where the tokens of servers are. */
final class TokenPlace {
    static final Option TOKENS = Option.of(
                    "--tokens", "FILE", "the file of tokens; without it idem/tokens.json in ~/.local/state")
            .byEnv("IDEM_TOKENS");

    private TokenPlace() {}

    /** The work of a command, with an answer for a file that can't be used. */
    static Command.Code guarded(Command.Code work) {
        return (around, arguments) -> {
            try {
                return work.run(around, arguments);
            } catch (IOException e) {
                return Answer.no(ExitCode.GENERAL_ERROR, "TOKENS_UNUSABLE", trouble(e) + ". Nothing was changed");
            }
        };
    }

    /** What is wrong with a file. Of many errors the JDK says no more than its name. */
    static String trouble(IOException e) {
        String what = String.valueOf(e.getMessage());
        return e instanceof AccessDeniedException
                ? "permission denied: " + what
                : e instanceof NoSuchFileException ? "there is no file " + what : what;
    }

    static TokenFile of(Surroundings around, Arguments arguments) {
        String given = arguments.find(TOKENS);
        try {
            Path path = given != null
                    ? around.directory().resolve(given)
                    : LedgerHome.of("idem", around.env(), "--tokens FILE")
                            .folder()
                            .resolve("tokens.json");
            return new TokenFile(path, around.host());
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
