package dev.idem.cli.mcp;

import dev.idem.Idem;
import dev.idem.cli.around.InterruptibleInput;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.entry.LedgerPlace;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.run.Executable;
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
import dev.idem.command.Signals;
import dev.idem.mcp.HttpProxy;
import dev.idem.mcp.HttpUsers;
import dev.idem.mcp.McpOptions;
import dev.idem.mcp.McpRules;
import dev.idem.mcp.StdioProxy;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code idem mcp}. */
public final class McpCommand {
    private static final Option NAME = Option.of(
                    "--name", "NAME", "names the server; by default a digest of the command or URL")
            .byEnv("IDEM_MCP_NAME");
    private static final Option SESSION = Option.of(
                    "--session", "ID", "the task that the calls belong to; a message may name another in its _meta")
            .byEnv("IDEM_SESSION");
    private static final Option REPEAT_WINDOW = Option.of(
            "--repeat-window",
            "TIME",
            "15m",
            "without a session and a key: how long a completed call answers its duplicates");
    private static final Option RULES = Option.of("--rules", "FILE", "the rules of the server's tools");
    private static final Option TRUST_HINTS =
            Option.flag("--trust-hints", "believes the hints of the server's tools, where no rule says otherwise");
    private static final Option TOOLS = Option.flag(
            "--tools", "adds tools that tell an agent what it has done: idem_pending, idem_status, idem_why");
    private static final Option UPSTREAM =
            Option.of("--upstream", "URL", "stands before the MCP server with this URL instead of starting a command");
    static final Option LISTEN = Option.of(
            "--listen", "HOST:PORT", "127.0.0.1:0", "with --upstream: where hosts reach it; 0 is a free port");
    private static final Option USER_HEADER = Option.of(
                    "--user-header",
                    "NAME",
                    "with --upstream: a header that names the user; exactly these tell users apart")
            .repeating();
    private static final Option SINGLE_USER =
            Option.flag("--single-user", "with --upstream: there is one user, whatever the headers say");
    private static final Option NO_RESTART =
            Option.flag("--no-restart", "ends when the server ends; by default it is started again, up to 5 times");
    private static final Option NO_ASK = Option.flag(
            "--no-ask", "does not ask the user of the host, when a call in doubt is repeated, whether it took effect");
    private static final Option SHADOW = Option.flag(
            "--shadow", "makes every call, and counts the duplicates that it would have stopped; tells them on stderr");
    private static final Option DRY_RUN =
            Option.flag("--dry-run", "checks the rules, the ledger and the command, and starts nothing");

    public static final Command COMMAND = Syntax.of(
                    "mcp", "stands before an MCP server: each tool call takes effect once")
            .runningUnless(UPSTREAM)
            .is(Danger.MUTATING, Trait.NATURAL, Trait.READS_ALL)
            .has(NAME, SESSION, REPEAT_WINDOW, RULES, TRUST_HINTS, TOOLS, UPSTREAM, LISTEN, USER_HEADER, SINGLE_USER)
            .has(NO_RESTART, NO_ASK, SHADOW, DRY_RUN)
            .has(Options.LEDGER, Options.SEAL_KEYS)
            .ends(12, 126, 127)
            .explained("""
            A host starts it in place of the server: idem mcp -- node server.js
            A server that is reached over HTTP: idem mcp --upstream https://mail.example/mcp --listen 127.0.0.1:8931
            A repeated tools/call gets the first result. When it is unknown whether a call took effect, the model is
            told so, and the call is not made again. All other messages pass unchanged.
            """)
            .does((around, arguments) -> new McpCommand(around, arguments).run());

    private static final int LARGEST_RESULT = 64 * 1024 * 1024;
    private static final int RESTARTS = 5;
    private static final int NOT_STARTED = 127;

    /** Less than the 20 seconds within which the guard ends. */
    private static final Duration LAST_CALLS = Duration.ofSeconds(16);

    /** The JDK reads these when it makes its first server or client, and by default limits nothing. */
    private static final Map<String, String> HTTP = Map.of(
            // Else each response waits 40 ms for an acknowledgement.
            "sun.net.httpserver.nodelay", "true",
            // In seconds. Each request that comes slowly holds a thread.
            "sun.net.httpserver.maxReqTime", "30",
            "sun.net.httpserver.maxReqHeaderSize", "65536",
            "jdk.httpserver.maxConnections", "1000",
            // In seconds. A connection that something in between has forgotten would leave a doubt.
            "jdk.httpclient.keepalive.timeout", "5");

    private final Surroundings around;
    private final Arguments arguments;

    private McpCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    private Answer run() throws IOException {
        String url = arguments.find(UPSTREAM);
        Upstream upstream = url == null ? null : Upstream.of(url, arguments);
        HttpUsers users = users(url != null);
        McpOptions options = options(url);
        List<String> command = arguments.command();
        NotStarted cannot =
                upstream != null ? null : Executable.whyNot(command.get(0), around.directory(), around.env());
        if (cannot != null) {
            return notStarted(cannot.exitCode(), cannot);
        }
        try (Ledger ledger = LedgerPlace.open(around, arguments);
                Idem idem = Idem.builder()
                        .ledger(ledger)
                        .largestResult(LARGEST_RESULT)
                        .quiet()
                        .open()) {
            if (arguments.flag(DRY_RUN)) {
                return Answer.ok("noop").line("the server '" + options.name() + "' can be guarded");
            }
            return upstream == null ? stdio(idem, options, command) : http(idem, options, upstream, users);
        }
    }

    private Answer stdio(Idem idem, McpOptions options, List<String> command) {
        if (arguments.find(NAME) == null) {
            around.complain("idem: this server has no --name, so it is known by its command. Name it if another server "
                    + "has the same command\n");
        }
        StdioProxy proxy = new StdioProxy(idem, options, command);
        int exit;
        if (!onSignal(proxy::end)) {
            return endedBySignal();
        }
        try {
            exit = proxy.run(InterruptibleInput.direct(around.in()), around.out());
        } catch (IOException e) {
            return notStarted(NOT_STARTED, e);
        } finally {
            around.signals().ended();
        }
        return exit == 0
                ? ended(options, proxy.shadowSummary())
                : Answer.no(exit, "SERVER_ENDED", "the server ended, and is not started again");
    }

    /** By what the users of a server over HTTP are told apart. */
    private HttpUsers users(boolean overHttp) {
        List<String> headers = arguments.all(USER_HEADER);
        boolean one = arguments.flag(SINGLE_USER);
        if (!overHttp && (one || !headers.isEmpty())) {
            throw new UsageException("--user-header and --single-user are for a server over HTTP; give its --upstream");
        } else if (one && !headers.isEmpty()) {
            throw new UsageException(
                    "--single-user: with --user-header there are several users; leave one of them out");
        }
        try {
            return one ? HttpUsers.one() : headers.isEmpty() ? HttpUsers.guessed() : HttpUsers.named(headers);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--user-header: " + e.getMessage());
        }
    }

    private Answer http(Idem idem, McpOptions options, Upstream upstream, HttpUsers users) {
        HTTP.forEach((name, value) -> System.setProperty(name, System.getProperty(name, value)));
        try (HttpProxy proxy = new HttpProxy(idem, options, upstream.server(), users)) {
            if (!onSignal(() -> proxy.end(LAST_CALLS))) {
                return endedBySignal();
            }
            around.complain("idem: hosts reach the server '" + options.name() + "' at "
                    + proxy.start(upstream.host(), upstream.port()) + "\n");
            proxy.awaitEnd();
            return ended(options, proxy.shadowSummary());
        } catch (IOException | UnresolvedAddressException e) {
            return Answer.no(
                    1,
                    "NOT_LISTENING",
                    "the guard can't listen at " + upstream.host() + ":" + upstream.port() + ": " + e.getMessage()
                            + "; give another place with --listen");
        } catch (IllegalArgumentException e) {
            throw new UsageException("--listen: " + e.getMessage());
        } finally {
            around.signals().ended();
        }
    }

    /** Ends the guard when a signal comes. False if one has come already: then nothing may be started. */
    private boolean onSignal(Runnable end) {
        return around.signals().handTo(name -> {
            around.complain("idem: ending within 20 s; calls that run longer are in doubt\n");
            Thread ending = new Thread(end, "idem-mcp-end");
            ending.setDaemon(true);
            ending.start();
        });
    }

    private Answer ended(McpOptions options, String summary) {
        if (options.shadow()) {
            around.complain("idem: " + summary + "\n");
        }
        if (around.signals().caught() != null) {
            return endedBySignal();
        }
        Answer answer = Answer.ok("noop");
        answer.quiet();
        return answer;
    }

    /** As the shell tells it, so that a host or supervisor does not take it for an end of its own. */
    private Answer endedBySignal() {
        Signals.Caught signal = Objects.requireNonNull(around.signals().caught());
        return Answer.no(signal.exit(), "INTERRUPTED", "the guard was ended by SIG" + signal.name());
    }

    static Answer notStarted(int exit, Exception why) {
        return Answer.no(exit, "NOT_STARTED", "the server can't be started: " + why.getMessage());
    }

    private McpOptions options(@Nullable String url) throws IOException {
        String name = arguments.find(NAME);
        List<String> place = url == null ? arguments.command() : List.of(url);
        return McpOptions.of(name == null ? McpOptions.nameOf(place) : name)
                .session(arguments.find(SESSION))
                .repeatWindow(Durations.positive(arguments, REPEAT_WINDOW))
                .rules(rules(url != null))
                .trustsHints(arguments.flag(TRUST_HINTS))
                .ownTools(arguments.flag(TOOLS))
                .restarts(arguments.flag(NO_RESTART) ? 0 : RESTARTS)
                .asks(!arguments.flag(NO_ASK))
                .shadow(arguments.flag(SHADOW))
                .told(line -> around.complain("idem: " + line + "\n"));
    }

    private McpRules rules(boolean overHttp) throws IOException {
        String file = arguments.find(RULES);
        if (file == null) {
            return McpRules.NONE;
        }
        Path path = around.directory().resolve(file);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new UsageException("--rules: there is no file to read at " + path);
        }
        try {
            McpRules rules = McpRules.parse(Files.readString(path), file);
            return overHttp ? rules.overHttp() : rules;
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new UsageException("--rules: " + e.getMessage());
        }
    }
}
