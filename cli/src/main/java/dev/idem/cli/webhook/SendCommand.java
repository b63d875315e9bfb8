package dev.idem.cli.webhook;

import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.command.Danger;

/** {@code idem webhook send}. */
public final class SendCommand {
    static final Option TO =
            Option.of("--to", "URL", "the endpoint, on this machine").asNeeded();
    static final Option ALLOW_REMOTE =
            Option.flag("--allow-remote", "sends to another machine too, where a signed event has real effects");
    static final Option TIMES = Option.of("--times", "N", "1", "sends the same delivery N times, 1-1000");
    static final Option PARALLEL = Option.flag("--parallel", "sends these at once, not one after the other");
    static final Option ANSWER_WITHIN = Option.of("--timeout", "TIME", "30s", "how long to wait for each answer");

    public static final Command COMMAND = Syntax.of(
                    "webhook send", "posts this body to an endpoint, signed as a sender of webhooks would sign it")
            .takes("SENDER", "FILE")
            .is(Danger.MUTATING)
            .has(TO, ALLOW_REMOTE, TIMES, PARALLEL, ANSWER_WITHIN)
            .has(Signing.OPTIONS)
            .has(Options.ONCE)
            .has(Options.OUTPUT, Options.LEDGER)
            .ends(3, 4, 5, 6, 10, 12)
            .explained(Signing.ABOUT + """
            The same FILE is the same event, unless it has another id. Redirects are not followed.
            Exit 0: all answers were 2xx. 1: none was. 3: some were, or the endpoint failed with 5xx or closed the
            connection. 10: no answer in time. 12: nothing listens there.
            """)
            .does((around, arguments) -> new Signing(around, arguments, true).run());

    private SendCommand() {}
}
