package dev.idem.cli.syntax;

import dev.idem.command.Danger;
import java.util.List;

/** The tables of {@code idem mcp} and the commands that begin with this word. */
public final class McpSyntax {
    /** The first word of these commands. */
    static final String GROUP = "mcp";

    public static final Option NAME = Option.of(
                    "--name", "NAME", "names the server; by default a digest of the command or URL")
            .byEnv("IDEM_MCP_NAME");
    public static final Option SESSION = Option.of(
                    "--session", "ID", "the task that the calls belong to; a message may name another in its _meta")
            .byEnv("IDEM_SESSION");
    public static final Option REPEAT_WINDOW = Option.of(
            "--repeat-window",
            "TIME",
            "15m",
            "without a session and a key: how long a completed call answers its duplicates");
    public static final Option RULES = Option.of("--rules", "FILE", "the rules of the server's tools");
    public static final Option TRUST_HINTS =
            Option.flag("--trust-hints", "believes the hints of the server's tools, where no rule says otherwise");
    public static final Option TOOLS = Option.flag(
            "--tools", "adds tools that tell an agent what it has done: idem_pending, idem_status, idem_why");
    public static final Option NO_RESTART =
            Option.flag("--no-restart", "ends when the server ends; by default it is started again, up to 5 times");
    public static final Option NO_ASK = Option.flag(
            "--no-ask", "does not ask the user of the host, when a call in doubt is repeated, whether it took effect");

    public static final Option UPSTREAM =
            Option.of("--upstream", "URL", "stands before the MCP server with this URL instead of starting a command");
    public static final Option LISTEN = Option.of(
            "--listen", "HOST:PORT", "127.0.0.1:0", "with --upstream: where hosts reach it; 0 is a free port");
    public static final Option USER_HEADER = Option.of(
                    "--user-header",
                    "NAME",
                    "with --upstream: a header that names the user; exactly these tell users apart")
            .repeating();
    public static final Option SINGLE_USER =
            Option.flag("--single-user", "with --upstream: there is one user, whatever the headers say");
    public static final Option SHADOW = Option.flag(
            "--shadow", "makes every call, and counts the duplicates that it would have stopped; tells them on stderr");

    public static final Option DRY_RUN =
            Option.flag("--dry-run", "checks the rules, the ledger and the command, and starts nothing");

    public static final Option LISTED =
            Option.of("--upstream", "URL", "asks the MCP server with this URL instead of starting a command");

    public static final Option ANSWER_WITHIN =
            Option.of("--timeout", "TIME", "60s", "how long to wait for all answers of the server");

    /** The hosts whose configuration can be changed. */
    public static final List<String> HOSTS = List.of("claude-desktop", "claude-code", "cursor", "vscode");

    public static final Option HOST = Option.of(
                    "--host", "HOST", "only the files of this host: " + String.join(", ", HOSTS))
            .withWords(HOSTS.toArray(String[]::new));
    public static final Option FILE = Option.of("--file", "PATH", "this file, in place of those of the hosts");
    public static final Option SERVER =
            Option.of("--server", "NAME", "only the server of this name").repeating();
    public static final Option UNDO = Option.flag("--undo", "takes the guard away again");
    public static final Option CONSENT = Option.flag("--yes", "changes the files without asking");
    public static final Option CHANGES_ONLY = Option.flag("--dry-run", "shows the changes; changes nothing");

    public static final Syntax MCP = Syntax.of(GROUP, "stands before an MCP server: each tool call takes effect once")
            .runningUnless(UPSTREAM)
            .natural()
            .is(Danger.MUTATING)
            .has(NAME, SESSION, REPEAT_WINDOW, RULES, TRUST_HINTS, TOOLS, UPSTREAM, LISTEN, USER_HEADER, SINGLE_USER)
            .has(NO_RESTART, NO_ASK, SHADOW, DRY_RUN)
            .has(Syntaxes.LEDGER, Syntaxes.SEAL_KEYS)
            .ends(12, 126, 127)
            .explained("""
            A host starts it in place of the server: idem mcp -- node server.js
            A server that is reached over HTTP: idem mcp --upstream https://mail.example/mcp --listen 127.0.0.1:8931
            A repeated tools/call gets the first result. When it is unknown whether a call took effect, the model is
            told so, and the call is not made again. All other messages pass unchanged.
            """);

    public static final Syntax DRAFT = Syntax.of(
                    GROUP + " rules", "prints rules for the tools of an MCP server, to be checked by a person")
            .runningUnless(LISTED)
            .natural()
            .has(LISTED, ANSWER_WITHIN, Syntaxes.JSON, Syntaxes.JSON_SHAPE)
            .ends(10, 126, 127)
            .explained("""
            It starts the server, asks for the list of its tools, and ends the server. No tool is called.
            A server over HTTP is asked without a credential, unless its URL has one.
            The side effects are those that the server says its tools have: check each of them.
              idem mcp rules -- node server.js > rules.yaml
              idem mcp rules --upstream https://mail.example/mcp > rules.yaml
            Exit 1: the server ended early, can't be reached, refused, or does not speak MCP. 10: no answer in time.
            """);

    public static final Syntax INSTALL = Syntax.of(
                    GROUP + " install", "lets the hosts on this machine start their MCP servers behind the guard")
            .is(Danger.MUTATING)
            .has(HOST, FILE, SERVER, UNDO, CONSENT, CHANGES_ONLY, Syntaxes.IDEMPOTENCY_KEY)
            .has(Syntaxes.OUTPUT)
            .has(Syntaxes.LEDGER)
            .ends(3, 4, 5, 6, 7, 12)
            .explained("""
            It changes the command of each server on stdio to: idem mcp --name NAME -- COMMAND [ARGUMENT...]
            It shows the changes and asks first, keeps the old file beside the new one, and leaves servers with a url and
            guarded ones alone. Arguments of a server are not shown. The hosts must be started again.
            """);

    static final List<Syntax> ALL = List.of(MCP, DRAFT, INSTALL);

    private McpSyntax() {}
}
