package dev.idem.cli.serve;

import dev.idem.cli.around.Surroundings;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.UsageException;
import dev.idem.server.notice.Channel;
import dev.idem.server.notice.Notices;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@code idem serve} that tells people about calls that need them. */
record NotifyOptions(Surroundings around, Arguments arguments) {
    private static final Option NOTIFY = Option.of(
                    "--notify",
                    "WHERE",
                    "tells about calls that need a person: webhook:URL, slack:env:NAME, command:PROGRAM; an address may be "
                            + "env:NAME or file:PATH")
            .repeating();
    private static final Option SECRET = Option.of(
            "--notify-secret", "WHERE", "env:NAME or file:PATH, where the secret is that signs notices to webhooks");

    static final List<Option> OPTIONS = List.of(NOTIFY, SECRET);

    private static final String ENV = "env:";
    private static final String FILE = "file:";

    /** The receivers. Throws a {@link UsageException} that shows no address. */
    List<Channel> channels() {
        List<String> all = arguments.all(NOTIFY);
        if (all.isEmpty() && arguments.flag(SECRET)) {
            throw new UsageException("--notify-secret goes with --notify webhook:URL");
        } else if (!all.isEmpty() && arguments.flag(ServeCommand.STDIO)) {
            throw new UsageException("give --notify or --stdio, not both: that server is its program's own");
        }
        try {
            return all.stream().map(this::channel).toList();
        } catch (IllegalArgumentException e) {
            throw new UsageException("--notify: " + e.getMessage());
        }
    }

    private Channel channel(String text) {
        int colon = text.indexOf(':');
        String where = text.substring(colon + 1);
        switch (text.substring(0, Math.max(0, colon))) {
            case "webhook":
                if (!arguments.flag(SECRET)) {
                    throw new UsageException(
                            "a webhook needs --notify-secret env:NAME or file:PATH, which signs what it gets");
                }
                return Channel.webhook(webhook(where), kept(SECRET.name(), arguments.value(SECRET)));
            case "slack":
                return Channel.slack(kept("--notify slack:", where));
            case "command":
                return Channel.command(List.of(program(where)));
            default:
                // It may be an address with a secret.
                throw new UsageException(
                        "--notify takes webhook:URL, slack:env:NAME, slack:file:PATH or command:PROGRAM");
        }
    }

    private String webhook(String where) {
        if (where.startsWith(ENV) || where.startsWith(FILE)) {
            return kept("--notify webhook:", where);
        } else if (where.indexOf('?') >= 0 || where.indexOf('@') >= 0) {
            throw new UsageException(
                    "--notify webhook: an address with a query or a user may be a secret, and other users of "
                            + "this machine see the arguments of a process. Put it into a variable, and give webhook:env:NAME");
        }
        return where;
    }

    /** A value that must not be on the command line. */
    private String kept(String what, String where) {
        if (where.startsWith(ENV)) {
            String value = around.env().getOrDefault(where.substring(ENV.length()), "");
            if (value.isBlank()) {
                throw new UsageException(what + " " + where + ": the variable is not set");
            }
            return value.strip();
        } else if (where.startsWith(FILE)) {
            try {
                return Files.readString(around.directory().resolve(where.substring(FILE.length())))
                        .strip();
            } catch (IOException | InvalidPathException e) {
                throw new UsageException(what + " " + where + ": the file can't be read as text");
            }
        }
        throw new UsageException(what + " takes env:NAME or file:PATH, and never the value itself: other users of this "
                + "machine see the arguments of a process");
    }

    /** A program with a path begins in the folder of the call; another one is searched for in PATH. */
    private String program(String given) {
        try {
            return given.indexOf('/') < 0
                    ? given
                    : around.directory().resolve(given).toString();
        } catch (InvalidPathException e) {
            throw new UsageException("--notify command: this is no path of a program");
        }
    }

    /** Begins to look; null if nobody is to be told. */
    @Nullable
    Notices start(Ledger ledger, List<Channel> channels, @Nullable URI link) {
        return channels.isEmpty() ? null : Notices.start(ledger, channels, link, Notices.USUAL);
    }
}
