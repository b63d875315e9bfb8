package dev.idem.cli.mcp;

import dev.idem.Idem;
import dev.idem.cli.around.LedgerPlace;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.run.Executable;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.McpSyntax;
import dev.idem.cli.syntax.UsageException;
import dev.idem.command.Answer;
import dev.idem.mcp.McpOptions;
import dev.idem.mcp.McpRules;
import dev.idem.mcp.StdioProxy;
import dev.idem.spi.Ledger;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** {@code idem mcp}. */
public final class McpCommand {
    private static final int LARGEST_RESULT = 64 * 1024 * 1024;
    private static final int RESTARTS = 5;
    private static final int NOT_STARTED = 127;

    /** Hosts end a server that does not end by itself soon after a signal. */
    private static final Duration LONGEST_END = Duration.ofSeconds(20);

    private final Surroundings around;
    private final Arguments arguments;

    public McpCommand(Surroundings around, Arguments arguments) {
        this.around = around;
        this.arguments = arguments;
    }

    public Answer run() throws IOException {
        McpOptions options = options();
        List<String> command = arguments.command();
        NotStarted cannot = Executable.whyNot(command.get(0), around.directory(), around.env());
        if (cannot != null) {
            return notStarted(cannot.exitCode(), cannot);
        }
        try (Ledger ledger = LedgerPlace.open(around, arguments);
                Idem idem = Idem.builder()
                        .ledger(ledger)
                        .largestResult(LARGEST_RESULT)
                        .quiet()
                        .open()) {
            if (arguments.flag(McpSyntax.DRY_RUN)) {
                return Answer.ok("noop").line("idem: the server '" + options.name() + "' can be guarded");
            }
            if (arguments.find(McpSyntax.NAME) == null) {
                around.complain(
                        "idem: this server has no --name, so it is known by its command. Name it if another server "
                                + "has the same command\n");
            }
            StdioProxy proxy = new StdioProxy(idem, options, command);
            around.signals().handTo(name -> {
                Thread ending = new Thread(() -> proxy.end(LONGEST_END), "idem-mcp-end");
                ending.setDaemon(true);
                ending.start();
            });
            int exit;
            try {
                exit = proxy.run(around.in(), around.out());
            } catch (IOException e) {
                return notStarted(NOT_STARTED, e);
            } finally {
                around.signals().ended();
            }
            if (exit != 0) {
                return Answer.no(exit, "SERVER_ENDED", "the server ended, and is not started again");
            }
            Answer answer = Answer.ok("noop");
            answer.quiet();
            return answer;
        }
    }

    static Answer notStarted(int exit, Exception why) {
        return Answer.no(exit, "NOT_STARTED", "the server can't be started: " + why.getMessage());
    }

    private McpOptions options() throws IOException {
        String name = arguments.find(McpSyntax.NAME);
        return new McpOptions(
                name == null ? McpOptions.nameOf(arguments.command()) : name,
                arguments.find(McpSyntax.SESSION),
                Durations.positive(arguments, McpSyntax.REPEAT_WINDOW),
                rules(),
                arguments.flag(McpSyntax.TRUST_HINTS),
                arguments.flag(McpSyntax.TOOLS),
                arguments.flag(McpSyntax.NO_RESTART) ? 0 : RESTARTS,
                false);
    }

    private McpRules rules() throws IOException {
        String file = arguments.find(McpSyntax.RULES);
        if (file == null) {
            return McpRules.NONE;
        }
        Path path = around.directory().resolve(file);
        if (!Files.isReadable(path) || Files.isDirectory(path)) {
            throw new UsageException("--rules: there is no file to read at " + path);
        }
        try {
            return McpRules.parse(Files.readString(path), file);
        } catch (IllegalArgumentException | CharacterCodingException e) {
            throw new UsageException("--rules: " + e.getMessage());
        }
    }
}
