package dev.idem.mcp;

import dev.idem.Repeat;
import dev.idem.SideEffect;
import dev.idem.agent.tool.McpCalls;
import dev.idem.agent.tool.McpHints;
import dev.idem.mcp.guard.OneLine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes a first version of a rules file from a list of tools. Names and texts are those of a stranger: a name is quoted,
 * and a text becomes one line of a comment.
 */
public final class RulesDraft {
    private static final int LONGEST_COMMENT = 100;
    /** YAML allows 1024 characters. */
    private static final int LONGEST_PLAIN_KEY = 500;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_./-]*");
    private static final Set<String> WORDS = Set.of("y", "n", "yes", "no", "on", "off", "true", "false", "null");

    private RulesDraft() {}

    /** The text of the file. {@link McpRules#parse} reads it. */
    public static String of(ToolList list) {
        StringBuilder text = new StringBuilder("# Drafted by \"idem mcp rules\"");
        String server = OneLine.of(list.server(), LONGEST_COMMENT);
        text.append(server.isEmpty() ? "" : " for " + server).append("""
                .
                # The side effects are what the server says about its own tools: check each one.
                # A tool that is wrongly a read is not guarded.
                version: 1
                """);
        text.append(list.tools().isEmpty() ? "tools: {}\n" : "tools:\n");
        list.tools().forEach(tool -> rule(text, tool));
        McpRules.parse(text.toString(), "the draft");
        return text.toString();
    }

    /** The side effect that the hints of a tool suggest. */
    public static SideEffect sideEffect(Map<?, ?> tool) {
        Optional<SideEffect> hinted =
                tool.get("annotations") instanceof Map<?, ?> hints ? McpHints.sideEffect(hints) : Optional.empty();
        return hinted.orElse(SideEffect.WRITE);
    }

    private static void rule(StringBuilder text, Map<?, ?> tool) {
        String comment = comment(tool);
        if (!comment.isEmpty()) {
            text.append("  # ").append(comment).append('\n');
        }
        String name = quoted(ToolList.name(tool));
        text.append(name.length() > LONGEST_PLAIN_KEY ? "  ? " + name + "\n  :\n" : "  " + name + ":\n");
        SideEffect effect = sideEffect(tool);
        text.append("    side_effect: ").append(effect.word()).append('\n');
        if (effect != SideEffect.READ) {
            text.append(
                    "    on_error: doubt # or failed, if it acts last: then it may be called again after an error\n");
        }
        if (tool.get("annotations") instanceof Map<?, ?> hints
                && McpHints.policy(hints).onRepeat() == Repeat.RUN
                && effect != SideEffect.READ) {
            text.append("    repeat: run\n");
        }
        Set<String> required = required(tool);
        if (effect != SideEffect.READ && !required.isEmpty()) {
            text.append("    # identity: [").append(String.join(", ", required)).append("]\n");
        }
    }

    private static String comment(Map<?, ?> tool) {
        Object ofHints = tool.get("annotations") instanceof Map<?, ?> hints ? hints.get("title") : null;
        for (Object each : new Object[] {tool.get("title"), ofHints, tool.get("description")}) {
            String line = each instanceof String said ? OneLine.of(said, LONGEST_COMMENT) : "";
            if (!line.isEmpty()) {
                return line;
            }
        }
        return "";
    }

    /** The required arguments, quoted. A key that a model makes identifies nothing. */
    private static Set<String> required(Map<?, ?> tool) {
        Object required = tool.get("inputSchema") instanceof Map<?, ?> schema ? schema.get("required") : null;
        Set<String> names = new LinkedHashSet<>();
        for (Object each : required instanceof List<?> list ? list : List.of()) {
            if (each instanceof String name && !McpCalls.isKeyOfModel(name)) {
                names.add(quoted(name));
            }
        }
        return names;
    }

    /** A name as YAML reads it, on one line. */
    private static String quoted(String name) {
        if (PLAIN.matcher(name).matches() && !WORDS.contains(name.toLowerCase(Locale.ROOT))) {
            return name;
        }
        StringBuilder quoted = new StringBuilder("\"");
        name.codePoints().forEach(next -> {
            if (next == '"' || next == '\\') {
                quoted.append('\\').appendCodePoint(next);
            } else if (next == ' ' || OneLine.isShown(next)) {
                quoted.appendCodePoint(next);
            } else {
                quoted.append(String.format(Locale.ROOT, next > 0xFFFF ? "\\U%08x" : "\\u%04x", next));
            }
        });
        return quoted.append('"').toString();
    }
}
