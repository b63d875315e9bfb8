package dev.idem.cli;

import dev.idem.LedgerException;
import dev.idem.cli.approval.ApprovalCommands;
import dev.idem.cli.around.Surroundings;
import dev.idem.cli.batch.BatchCommand;
import dev.idem.cli.check.ScoreCommand;
import dev.idem.cli.check.VetCommand;
import dev.idem.cli.demo.DemoCommand;
import dev.idem.cli.entry.EntryCommands;
import dev.idem.cli.entry.Suggested;
import dev.idem.cli.entry.WatchCommand;
import dev.idem.cli.mcp.InstallCommand;
import dev.idem.cli.mcp.McpCommand;
import dev.idem.cli.mcp.RulesCommand;
import dev.idem.cli.protocol.KeyCommand;
import dev.idem.cli.protocol.TicketCommands;
import dev.idem.cli.run.RunCommand;
import dev.idem.cli.syntax.Arguments;
import dev.idem.cli.syntax.Syntaxes;
import dev.idem.cli.upkeep.Completion;
import dev.idem.cli.upkeep.DoctorCommand;
import dev.idem.cli.upkeep.ExportCommand;
import dev.idem.cli.upkeep.ImportCommand;
import dev.idem.cli.upkeep.ManifestCommand;
import dev.idem.cli.upkeep.MigrateCommand;
import dev.idem.cli.upkeep.PurgeCommand;
import dev.idem.cli.upkeep.StatsCommand;
import dev.idem.cli.webhook.WebhookCommand;
import dev.idem.command.Answer;
import dev.idem.command.Terminal;
import java.io.IOException;

/** Finds the implementation of a command. */
final class Commands {
    private Commands() {}

    static Answer run(Surroundings around, Arguments arguments) throws IOException {
        if (arguments.isFor(Syntaxes.RUN)) {
            return new RunCommand(around, arguments).run();
        }
        try {
            return !arguments.syntax().knows(Syntaxes.IDEMPOTENCY_KEY)
                    ? once(around, arguments)
                    : new OncePerKey(around, arguments).answer(() -> once(around, arguments));
        } catch (LedgerException e) {
            return Answer.noLedger(e, "the ledger can't be used")
                    .fixCommand(Suggested.line(around.program(), arguments, "doctor"));
        }
    }

    private static Answer once(Surroundings around, Arguments arguments) throws IOException {
        return switch (arguments.syntax().name()) {
            case "approve", "deny" -> new ApprovalCommands(around, arguments).run();
            case "score" -> new ScoreCommand(around, arguments).run();
            case "vet" -> new VetCommand(around, arguments).run();
            case "batch" -> new BatchCommand(around, arguments).run();
            case "claim", "renew", "settle" -> new TicketCommands(around, arguments).run();
            case "key" -> new KeyCommand(around, arguments).run();
            case "watch" -> new WatchCommand(around, arguments).run();
            case "stats" -> new StatsCommand(around, arguments).run();
            case "doctor" -> new DoctorCommand(around, arguments).run();
            case "purge" -> new PurgeCommand(around, arguments).run();
            case "export" -> new ExportCommand(around, arguments).run();
            case "import" -> new ImportCommand(around, arguments).run();
            case "migrate" -> new MigrateCommand(around, arguments).run();
            case "webhook sign", "webhook send" -> new WebhookCommand(around, arguments).run();
            case "mcp" -> new McpCommand(around, arguments).run();
            case "mcp install" -> new InstallCommand(around, arguments, Terminal.isStdin()).run();
            case "mcp rules" -> new RulesCommand(around, arguments).run();
            case "demo" -> new DemoCommand(around, arguments).run();
            case "manifest" -> ManifestCommand.answer(arguments);
            case "completion" -> Completion.answer(arguments);
            default -> new EntryCommands(around, arguments).run();
        };
    }
}
