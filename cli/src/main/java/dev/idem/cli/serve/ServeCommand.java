package dev.idem.cli.serve;

import dev.idem.LedgerUnavailableException;
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
import dev.idem.command.ExitCode;
import dev.idem.command.LedgerHome;
import dev.idem.command.Shell;
import dev.idem.command.Signals;
import dev.idem.server.Api;
import dev.idem.server.Operations;
import dev.idem.server.StdioCarrier;
import dev.idem.server.http.HeapWatch;
import dev.idem.server.http.NetworkCarrier;
import dev.idem.server.http.SocketCarrier;
import dev.idem.server.notice.Channel;
import dev.idem.server.notice.Notices;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** {@code idem serve}. */
public record ServeCommand(Surroundings around, Arguments arguments) {
    static final Option STDIO = Option.flag("--stdio", "serves the program that started it, over stdin and stdout");
    private static final Option SOCKET = Option.of(
                    "--socket",
                    "PATH",
                    "serves all programs of this user at a unix socket; without it idem/serve.sock in $XDG_RUNTIME_DIR, or "
                            + "beside the ledger in ~/.local/state/idem")
            .byEnv("IDEM_SOCKET");

    private static final Option DEMO =
            Option.flag("--demo", "serves the console of a shop that is made up, with calls in every state");

    private static final Duration FOR_LEDGER = Duration.ofMinutes(1);
    private static final Duration LONGEST_END = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    private static final Option DRY_RUN =
            Option.flag("--dry-run", "checks the ledger, the tokens and the certificate, and starts no server");

    public static final Command COMMAND = Syntax.of(
                    "serve", "serves programs in any language: they claim, run, settle and get replays")
            .is(Danger.MUTATING, Trait.NATURAL, Trait.READS_ALL)
            .has(STDIO, SOCKET, DEMO)
            .has(NetworkDoor.OPTIONS)
            .has(NotifyOptions.OPTIONS, DRY_RUN, Options.LEDGER, Options.SEAL_KEYS)
            .ends(4, 12)
            .explained("""
            One server for all programs of this user, over HTTP: idem serve
            A program's own server, one JSON object a line: idem serve --stdio
            That one ends when its stdin ends or the program is gone. The methods: docs/protocol.md
            Other hosts, tenants and browsers, each with a token: idem serve --listen 127.0.0.1:8731
            Its first start makes a token that may do everything; idem token add makes more.
            The console, a page for people: idem serve --listen 127.0.0.1:8731 --open
            The console with calls in every state, in a ledger that is deleted at the end: idem serve --demo
            """)
            .does((around, arguments) -> new ServeCommand(around, arguments).run());

    private Answer run() throws IOException {
        if (arguments.flag(DEMO)) {
            return overDemo();
        }
        String url = absolute(LedgerPlace.url(arguments, around.env()));
        NetworkDoor network = new NetworkDoor(around, arguments);
        NetworkCarrier.Place place = network.place();
        Operations operations = network.operations();
        NotifyOptions notify = new NotifyOptions(around, arguments);
        List<Channel> channels = notify.channels();
        try (Ledger ledger =
                        place == null || arguments.flag(DRY_RUN) ? LedgerPlace.open(around, arguments) : awaited();
                Api api = new Api(ledger, url, around.host(), version())) {
            if (arguments.flag(DRY_RUN)) {
                if (place != null) {
                    network.require(place);
                }
                return Answer.ok("noop").line(api.ledger() + " can be served");
            }
            return arguments.flag(STDIO)
                    ? overStdio(api)
                    : overHttp(api, network, place, operations, link -> notify.start(ledger, channels, link));
        } catch (IOException e) {
            return Answer.no(1, "NOT_LISTENING", TokenPlace.trouble(e));
        }
    }

    /** A database may start later than this server, or be full of the connections of the one before. */
    private Ledger awaited() throws IOException {
        long end = around.nanos().getAsLong() + FOR_LEDGER.toNanos();
        boolean told = false;
        while (true) {
            try {
                return LedgerPlace.open(around, arguments);
            } catch (LedgerUnavailableException e) {
                if (around.nanos().getAsLong() - end >= 0) {
                    throw e;
                } else if (!told) {
                    around.complain("idem: waiting for the ledger for a minute: " + e.getMessage() + "\n");
                    told = true;
                }
                pause(e);
            }
        }
    }

    private void pause(LedgerUnavailableException why) {
        try {
            if (around.signals().pause(BETWEEN_LOOKS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw why;
    }

    private Answer overDemo() throws IOException {
        if (arguments.onLine(Options.LEDGER)
                || arguments.onLine(SOCKET)
                || arguments.flag(STDIO)
                || new NetworkDoor(around, arguments).place() != null) {
            throw new UsageException("--demo has a ledger and a port of its own; leave out --ledger, --listen, --socket"
                    + " and --stdio");
        }
        return arguments.flag(DRY_RUN)
                ? Answer.ok("noop").line("a shop that is made up can be served")
                : new ServeDemo(around, version()).run();
    }

    private Answer overStdio(Api api) {
        var carrier = new StdioCarrier(api, InterruptibleInput.direct(around.in()), around.out(), user());
        if (around.signals().handTo(name -> carrier.end())) {
            try {
                carrier.run();
            } finally {
                around.signals().ended();
            }
        }
        return ended(around);
    }

    private interface Telling {
        @Nullable
        Notices start(@Nullable URI link);
    }

    @SuppressWarnings("try") // The notices and the watch are only closed here.
    private Answer overHttp(
            Api api, NetworkDoor door, NetworkCarrier.@Nullable Place place, Operations operations, Telling telling)
            throws IOException {
        CountDownLatch end = new CountDownLatch(1);
        if (!around.signals().handTo(name -> end.countDown())) {
            return ended(around);
        }
        AtomicReference<@Nullable String> fatal = new AtomicReference<>();
        boolean socket = place == null || arguments.find(SOCKET) != null;
        try (HeapWatch heap = place == null ? null : HeapWatch.start(why -> endFor(why, fatal, end));
                NetworkCarrier network = place == null ? null : door.open(api, place, operations);
                SocketCarrier local = socket ? SocketCarrier.start(api, socket()) : null;
                Notices notices = telling.start(network == null ? null : network.url())) {
            if (network != null) {
                door.tell(api, network, Objects.requireNonNull(place));
            }
            if (local != null) {
                tell(api, local);
            }
            end.await();
            around.complain("idem: ending\n");
        } catch (IllegalArgumentException e) {
            return Answer.no(ExitCode.PRECONDITION, "NOT_BROWSABLE", String.valueOf(e.getMessage()));
        } catch (IllegalStateException e) {
            return Answer.no(ExitCode.PRECONDITION, "RUNNING", e.getMessage() + ". Nothing was started")
                    .fix("use that one, or give another --socket");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            around.signals().ended();
        }
        String why = fatal.get();
        return why == null
                ? ended(around)
                : Answer.no(1, "OUT_OF_MEMORY", "the server has ended: " + why)
                        .fix("start it again, and give it more memory: JDK_JAVA_OPTIONS=-Xmx512m");
    }

    /** Ends the server, and the process where there is no memory even for that. */
    private void endFor(String why, AtomicReference<@Nullable String> fatal, CountDownLatch end) {
        if (!fatal.compareAndSet(null, why)) {
            return;
        }
        try {
            Thread last = new Thread(ServeCommand::halt, "idem-halt");
            last.setDaemon(true);
            last.start();
        } finally {
            end.countDown();
        }
        around.complain("idem: ending: " + why + "\n");
    }

    private static void halt() {
        try {
            Thread.sleep(LONGEST_END.toMillis());
        } catch (InterruptedException e) {
            // It ends anyway.
        }
        Runtime.getRuntime().halt(1);
    }

    private void tell(Api api, SocketCarrier carrier) {
        around.complain("idem: serving " + api.ledger() + " at " + carrier.path() + "\n  curl --unix-socket "
                + Shell.line(List.of(carrier.path().toString())) + " --json '{}' http://idem/v1/hello\n");
    }

    /** The answer of a server that has ended. */
    static Answer ended(Surroundings around) {
        Signals.Caught signal = around.signals().caught();
        if (signal != null) {
            return Answer.no(signal.exit(), "INTERRUPTED", "the server was ended by SIG" + signal.name());
        }
        Answer answer = Answer.ok("noop");
        answer.quiet();
        return answer;
    }

    private Path socket() {
        String given = arguments.find(SOCKET);
        if (given != null) {
            return around.directory().resolve(given).toAbsolutePath();
        }
        String runtime = around.env().getOrDefault("XDG_RUNTIME_DIR", "");
        Path folder = runtime.startsWith("/")
                ? Path.of(runtime, "idem")
                : LedgerHome.of("idem", around.env(), "--socket PATH").folder();
        return folder.resolve("serve.sock");
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
