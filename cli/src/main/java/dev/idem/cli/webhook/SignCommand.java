package dev.idem.cli.webhook;

import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;

/** {@code idem webhook sign}. */
public final class SignCommand {
    public static final Command COMMAND = Syntax.of(
                    "webhook sign", "prints the headers that a sender of webhooks would send with this body")
            .takes("SENDER", "FILE")
            .is(Trait.NATURAL)
            .has(Signing.OPTIONS)
            .has(Options.JSON, Options.JSON_SHAPE)
            .ends(5)
            .explained(Signing.ABOUT + """
            curl reads the lines: idem webhook sign github push.json | curl -H @- --data-binary @push.json URL
            """)
            .does((around, arguments) -> new Signing(around, arguments, false).run());

    private SignCommand() {}
}
