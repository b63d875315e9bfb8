package dev.idem.cli.serve;

import dev.idem.cli.around.InterruptibleInput;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.command.Danger;
import dev.idem.command.Signals;
import dev.idem.server.Api;
import dev.idem.server.StdioCarrier;
import dev.idem.spi.Ledger;
import java.nio.file.Path;
import java.util.Objects;

/** {@code idem serve}. */
public record ServeCommand(Surroundings around, Arguments arguments) {
    private static final Option STDIO =
            Option.flag("--stdio", "serves the program that started it, over stdin and stdout");

    public static final Command COMMAND = Syntax.of(
                    "serve", "serves programs in any language: they claim, run, settle and get replays")
            .is(Danger.MUTATING, Trait.NATURAL, Trait.READS_ALL)
            .has(STDIO, Options.LEDGER, Options.SEAL_KEYS)
            .ends(12)
            .explained("""
            A program starts it once and sends one JSON object a line: idem serve --stdio
            It ends when its stdin ends, or the program is gone. The methods: docs/protocol.md
            """)
            .does((around, arguments) -> new ServeCommand(around, arguments).run());

    private Answer run() {
        if (!arguments.flag(STDIO)) {
            throw new UsageException("give --stdio, and speak to it over stdin and stdout");
        }
        String url = absolute(LedgerPlace.url(arguments, around.env()));
        try (Ledger ledger = LedgerPlace.open(around, arguments);
                Api api = new Api(ledger, url, around.host(), version())) {
            var carrier = new StdioCarrier(api, InterruptibleInput.direct(around.in()), around.out(), user());
            if (around.signals().handTo(name -> carrier.end())) {
                try {
                    carrier.run();
                } finally {
                    around.signals().ended();
                }
            }
        }
        Signals.Caught signal = around.signals().caught();
        if (signal != null) {
            return Answer.no(signal.exit(), "INTERRUPTED", "the server was ended by SIG" + signal.name());
        }
        Answer answer = Answer.ok("noop");
        answer.quiet();
        return answer;
    }

    /** The URL with the absolute path of its file: clients have other working directories. */
    private String absolute(String url) {
        Path file = LedgerPlace.file(url, around.directory());
        if (file == null) {
            return url;
        }
        int options = url.indexOf('?');
        return url.substring(0, url.indexOf(':') + 1)
                + file.toAbsolutePath().normalize()
                + (options < 0 ? "" : url.substring(options));
    }

    private static String version() {
        return Objects.requireNonNullElse(ServeCommand.class.getPackage().getImplementationVersion(), "unknown");
    }

    private static String user() {
        return System.getProperty("user.name", "unknown");
    }
}
