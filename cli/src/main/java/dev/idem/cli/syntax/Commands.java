package dev.idem.cli.syntax;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The list of all commands, in the order of the help. It names their classes by text, so that a start loads only the
 * class of the command that is asked for. Each class has a public constant {@code COMMAND}.
 */
public final class Commands {
    private static final Map<String, String> ALL = new LinkedHashMap<>();

    static {
        ALL.put("run", "run.RunCommand");
        ALL.put("batch", "batch.BatchCommand");
        ALL.put("claim", "protocol.ClaimCommand");
        ALL.put("renew", "protocol.RenewCommand");
        ALL.put("settle", "protocol.SettleCommand");
        ALL.put("key", "protocol.KeyCommand");
        ALL.put("show", "entry.ShowCommand");
        ALL.put("why", "entry.WhyCommand");
        ALL.put("ls", "entry.LsCommand");
        ALL.put("watch", "entry.WatchCommand");
        ALL.put("resolve", "entry.ResolveCommand");
        ALL.put("forget", "entry.ForgetCommand");
        ALL.put("approve", "approval.ApproveCommand");
        ALL.put("deny", "approval.DenyCommand");
        ALL.put("vet", "check.VetCommand");
        ALL.put("score", "check.ScoreCommand");
        ALL.put("webhook sign", "webhook.SignCommand");
        ALL.put("webhook send", "webhook.SendCommand");
        ALL.put("stats", "upkeep.StatsCommand");
        ALL.put("doctor", "upkeep.DoctorCommand");
        ALL.put("purge", "upkeep.PurgeCommand");
        ALL.put("export", "upkeep.ExportCommand");
        ALL.put("import", "upkeep.ImportCommand");
        ALL.put("migrate", "upkeep.MigrateCommand");
        ALL.put("manifest", "upkeep.ManifestCommand");
        ALL.put("completion", "upkeep.CompletionCommand");
        ALL.put("serve", "serve.ServeCommand");
        ALL.put("token add", "serve.TokenAddCommand");
        ALL.put("token ls", "serve.TokenLsCommand");
        ALL.put("token revoke", "serve.TokenRevokeCommand");
        ALL.put("mcp", "mcp.McpCommand");
        ALL.put("mcp rules", "mcp.RulesCommand");
        ALL.put("mcp install", "mcp.InstallCommand");
        ALL.put("demo", "demo.DemoCommand");
    }

    private Commands() {}

    public static @Nullable Command find(String name) {
        String type = ALL.get(name);
        return type == null ? null : load(type);
    }

    private static Command load(String type) {
        try {
            return (Command)
                    Class.forName("dev.idem.cli." + type).getField("COMMAND").get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " has no public COMMAND", e);
        }
    }

    /** The names of all commands. Loads no command. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /** The syntax of all commands. */
    public static List<Syntax> syntaxes() {
        return ALL.values().stream().map(type -> load(type).syntax()).toList();
    }

    /** The commands that begin with this word, if there are any of two words; the word itself may be one. */
    public static List<Syntax> group(String word) {
        List<Syntax> group = new ArrayList<>();
        ALL.forEach((name, type) -> {
            if (name.equals(word) || name.startsWith(word + " ")) {
                group.add(load(type).syntax());
            }
        });
        return isGroup(word) ? group : List.of();
    }

    /** Whether there are commands of two words that begin with this one. Loads no command. */
    public static boolean isGroup(String word) {
        for (String name : ALL.keySet()) {
            if (name.length() > word.length() && name.charAt(word.length()) == ' ' && name.startsWith(word)) {
                return true;
            }
        }
        return false;
    }
}
