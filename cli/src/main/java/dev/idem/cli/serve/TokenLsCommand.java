package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.Table;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Answer;
import dev.idem.server.Token;
import dev.idem.server.TokenFile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code idem token ls}. */
public final class TokenLsCommand {
    public static final Command COMMAND = Syntax.of("token ls", "lists the tokens of idem serve --listen")
            .has(TokenPlace.TOKENS)
            .has(Options.OUTPUT)
            .does(TokenPlace.guarded(TokenLsCommand::run));

    private TokenLsCommand() {}

    private static Answer run(Surroundings around, Arguments arguments) throws IOException {
        TokenFile tokens = TokenPlace.of(around, arguments);
        Instant now = around.host().now().wall();
        List<Map<String, @Nullable Object>> all = new ArrayList<>();
        Table table = new Table("NAME", "RIGHTS", "SCOPES", "MADE", "EXPIRES");
        for (Token token : tokens.list()) {
            Map<String, @Nullable Object> one = new LinkedHashMap<>();
            one.put("name", token.name());
            one.put("rights", token.access().rightWords());
            one.put("scopes", token.access().scopeTexts());
            one.put("made", token.made().toString());
            one.put("expires", token.expires() == null ? null : token.expires().toString());
            one.put("expired", token.isExpired(now));
            all.add(one);
            table.row(
                    token.name(),
                    String.join(",", token.access().rightWords()),
                    String.join(",", token.access().scopeTexts()),
                    token.made().toString(),
                    token.expires() == null
                            ? "never"
                            : token.isExpired(now) ? "expired" : token.expires().toString());
        }
        return Answer.ok("noop")
                .with("tokens", all)
                .text(all.isEmpty() ? "no tokens in " + tokens.path() + "\n" : table.text());
    }
}
