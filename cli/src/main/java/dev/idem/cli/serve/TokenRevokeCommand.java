package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.ExitCode;
import dev.idem.server.TokenFile;
import java.io.IOException;

/** {@code idem token revoke}. */
public final class TokenRevokeCommand {
    public static final Command COMMAND = Syntax.of("token revoke", "ends a token of idem serve --listen")
            .takes("NAME")
            .is(Danger.MUTATING)
            .has(TokenPlace.TOKENS)
            .has(Options.ONCE)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(4, 5, 6, 12)
            .explained("""
            Within two seconds servers accept nothing more with it: a call that was claimed with it can't be settled, and
            ends in doubt. With --idempotency-key the same call again leaves a new token of this name alone.
            """)
            .does(TokenPlace.guarded(TokenRevokeCommand::run));

    private TokenRevokeCommand() {}

    private static Answer run(Surroundings around, Arguments arguments) throws IOException {
        String name = arguments.operand();
        TokenFile tokens = TokenPlace.of(around, arguments);
        boolean dry = arguments.flag(Options.DRY_RUN);
        boolean there =
                dry ? tokens.list().stream().anyMatch(token -> token.name().equals(name)) : tokens.revoke(name);
        if (!there) {
            return Answer.no(ExitCode.NOT_FOUND, "NOT_FOUND", "there is no token '" + name + "' in " + tokens.path())
                    .fixCommand("idem token ls");
        }
        return Answer.ok(dry ? "would_delete" : "deleted")
                .with("name", name)
                .line("the token '" + name + "' " + (dry ? "would be" : "is") + " revoked");
    }
}
