package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.server.Access;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/** {@code idem token add}. */
public final class TokenAddCommand {
    static final Option NAME =
            Option.of("--name", "NAME", "who gets the token, for the trail").asNeeded();
    private static final Option RIGHTS = Option.of(
                    "--rights",
                    "LIST",
                    "any of read (entries), payloads (results), act (claim and settle), operate (resolve, forget, approve)")
            .asNeeded();
    private static final Option SCOPES = Option.of(
                    "--scopes", "LIST", "where: scopes, beginnings such as 'acme/*', or '*' for all")
            .asNeeded();
    private static final Option EXPIRES =
            Option.of("--expires", "TIME", "how long it is good for; without it, for ever");

    public static final Command COMMAND = Syntax.of("token add", "makes a token for idem serve --listen")
            .is(Danger.MUTATING, Trait.NATURAL)
            .has(NAME, RIGHTS, SCOPES, EXPIRES, TokenPlace.TOKENS, Options.DRY_RUN, Options.JSON, Options.JSON_SHAPE)
            .ends(6)
            .explained("""
            It prints the secret, which is kept nowhere and can't be had again:
              idem token add --name ci --rights read,act --scopes 'acme/*' --expires 90d > ci.token
            Servers that have the same file of tokens accept it within a second.
            """)
            .does(TokenPlace.guarded(TokenAddCommand::run));

    private TokenAddCommand() {}

    private static Answer run(Surroundings around, Arguments arguments) throws IOException {
        String name = arguments.value(NAME);
        Access access;
        try {
            access = Access.of(list(arguments.value(RIGHTS)), list(arguments.value(SCOPES)));
            new Token(name, "", access, Instant.EPOCH, null);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
        Duration lasts = arguments.find(EXPIRES) == null ? null : Durations.positive(arguments, EXPIRES);
        TokenFile tokens = TokenPlace.of(around, arguments);
        if (arguments.flag(Options.DRY_RUN)) {
            if (tokens.list().stream().anyMatch(each -> each.name().equals(name))) {
                return exists("there is a token '" + name + "' already");
            }
            return Answer.ok("would_create").with("name", name).line("a token '" + name + "' would be made");
        }
        String secret;
        try {
            secret = tokens.add(name, access, lasts);
        } catch (IllegalStateException e) {
            return exists(String.valueOf(e.getMessage()));
        }
        return Answer.ok("created")
                .with("name", name)
                .with("token", secret)
                .with("rights", access.rightWords())
                .with("scopes", access.scopeTexts())
                .document(secret + "\n")
                .line("this is shown once; " + tokens.path() + " has only its digest");
    }

    private static Answer exists(String why) {
        return Answer.no(ExitCode.CONFLICT, "TOKEN_EXISTS", why + ". Nothing was made")
                .fix("choose another name, or revoke that one first")
                .fixCommand("idem token ls");
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    }
}
