package dev.idem.cli.mcp;

import dev.idem.SideEffect;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.recorded.NotStarted;
import dev.idem.cli.run.Executable;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Command;
import dev.idem.cli.syntax.Durations;
import dev.idem.cli.syntax.Option;
import dev.idem.cli.syntax.Options;
import dev.idem.cli.syntax.Syntax;
import dev.idem.cli.syntax.Syntax.Trait;
import dev.idem.command.Answer;
import dev.idem.command.ExitCode;
import dev.idem.command.Manifest;
import dev.idem.mcp.NoToolListException;
import dev.idem.mcp.RulesDraft;
import dev.idem.mcp.ToolList;
import dev.idem.mcp.ToolListing;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code idem mcp rules}: drafts the rules of a server from the list of its tools. */
public record RulesCommand(Surroundings around, Arguments arguments) {
    private static final Option LISTED =
            Option.of("--upstream", "URL", "asks the MCP server with this URL instead of starting a command");
    private static final Option ANSWER_WITHIN =
            Option.of("--timeout", "TIME", "60s", "how long to wait for all answers of the server");

    public static final Command COMMAND = Syntax.of(
                    "mcp rules", "prints rules for the tools of an MCP server, to be checked by a person")
            .runningUnless(LISTED)
            .is(Trait.NATURAL)
            .has(LISTED, ANSWER_WITHIN, Options.JSON, Options.JSON_SHAPE)
            .ends(10, 126, 127)
            .explained("""
            It starts the server, asks for the list of its tools, and ends the server. No tool is called.
            A server over HTTP is asked without a credential, unless its URL has one.
            The side effects are those that the server says its tools have: check each of them.
              idem mcp rules -- node server.js > rules.yaml
              idem mcp rules --upstream https://mail.example/mcp > rules.yaml
            Exit 1: the server ended early, can't be reached, refused, or does not speak MCP. 10: no answer in time.
            """)
            .does((around, arguments) -> new RulesCommand(around, arguments).run());

    private Answer run() {
        Duration limit = Durations.positive(arguments, ANSWER_WITHIN);
        String url = arguments.find(LISTED);
        URI server = url == null ? null : Upstream.server(url);
        List<String> command = arguments.command();
        NotStarted cannot = server != null ? null : Executable.whyNot(command.get(0), around.directory(), around.env());
        if (cannot != null) {
            return McpCommand.notStarted(cannot.exitCode(), cannot);
        } else if (around.signals().caught() != null) {
            return interrupted();
        }
        try {
            String version = Manifest.version(RulesCommand.class);
            return answer(
                    server == null ? ToolListing.of(command, version, limit) : ToolListing.of(server, version, limit));
        } catch (NoToolListException e) {
            boolean late = e.reason() == NoToolListException.Reason.NO_ANSWER;
            return Answer.no(
                            late ? ExitCode.TIMEOUT : ExitCode.GENERAL_ERROR,
                            e.reason().name(),
                            e.getMessage() + ". No rules were drafted")
                    .fix(fix(late, server != null));
        } catch (IOException e) {
            return McpCommand.notStarted(ExitCode.NOT_EXECUTABLE.number(), e);
        } catch (InterruptedException e) {
            return interrupted();
        }
    }

    private static String fix(boolean late, boolean overHttp) {
        String check = overHttp
                ? "check that the URL is that of an MCP server, and that the server needs no credential in a header"
                : late
                        ? "check that the command is an MCP server on stdio"
                        : "check that the command is an MCP server on stdio, and that it has the variables it needs";
        return late ? "give it more time with --timeout, and " + check : check;
    }

    /** The command line answers for the signal. */
    private static Answer interrupted() {
        return Answer.ok("noop");
    }

    private static Answer answer(ToolList list) {
        String rules = RulesDraft.of(list);
        int count = list.tools().size();
        Answer answer = Answer.ok("noop")
                .with("server", list.server())
                .with("tools", count)
                .with("rules", rules)
                .text(rules);
        list.remarks().forEach(remark -> answer.warn("TOOL_LIST", remark));
        return count == 0
                ? answer.line("the server has no tools")
                : answer.line(count + (count == 1 ? " tool: " : " tools: ") + counts(list)
                        + ". Check each side effect: it is what the server says about itself");
    }

    private static String counts(ToolList list) {
        Map<SideEffect, Integer> counts = new TreeMap<>();
        list.tools().forEach(tool -> counts.merge(RulesDraft.sideEffect(tool), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().word())
                .collect(Collectors.joining(", "));
    }
}
