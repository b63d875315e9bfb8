package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.LedgerHome;
import dev.idem.server.TokenFile;
import java.nio.file.Path;

/** Where the tokens of servers are. */
final class TokenPlace {
    static final Option TOKENS = Option.of(
                    "--tokens", "FILE", "the file of tokens; without it idem/tokens.json in ~/.local/state")
            .byEnv("IDEM_TOKENS");

    private TokenPlace() {}

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
