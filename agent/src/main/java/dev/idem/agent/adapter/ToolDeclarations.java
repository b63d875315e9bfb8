package dev.idem.agent.adapter;

import dev.idem.Policy;
import dev.idem.agent.tool.McpHints;
import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolBuilder;
import dev.idem.agent.tool.ToolInput;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** The declarations of tools by their names. Immutable, but for its one warning. */
public final class ToolDeclarations {
    private final Map<String, UnaryOperator<ToolBuilder<ToolInput>>> byName;
    private final AtomicBoolean warned = new AtomicBoolean();

    private ToolDeclarations(Map<String, UnaryOperator<ToolBuilder<ToolInput>>> byName) {
        this.byName = byName;
    }

    public static ToolDeclarations none() {
        return new ToolDeclarations(Map.of());
    }

    /** These, and after them others. */
    public ToolDeclarations and(Map<String, UnaryOperator<ToolBuilder<ToolInput>>> others) {
        Map<String, UnaryOperator<ToolBuilder<ToolInput>>> all = new LinkedHashMap<>(byName);
        others.forEach((name, change) -> {
            UnaryOperator<ToolBuilder<ToolInput>> before = all.getOrDefault(name, UnaryOperator.identity());
            all.put(name, tool -> change.apply(before.apply(tool)));
        });
        return new ToolDeclarations(all);
    }

    /**
     * The tool as the framework describes it, with the declarations of its name.
     *
     * @param hinted the policy by the hints of a trusted MCP server; it is below all declarations
     */
    public Tool tool(String name, ToolBuilder<ToolInput> described, Policy hinted) {
        Tool declared = byName.getOrDefault(name, UnaryOperator.identity())
                .apply(described)
                .build();
        return McpHints.trusted(declared, hinted);
    }

    /** Warns once of hints that are not trusted, for tools without a declaration. */
    public <T> void warnOfHints(
            Iterable<T> untrusted, Function<T, String> name, Function<T, Policy> hinted, System.Logger log) {
        if (warned.get()) {
            return;
        }
        Set<String> names = new TreeSet<>();
        for (T tool : untrusted) {
            if (!byName.containsKey(name.apply(tool)) && hinted.apply(tool).hasSideEffect()) {
                names.add(name.apply(tool));
            }
        }
        if (!names.isEmpty() && warned.compareAndSet(false, true)) {
            log.log(
                    Level.WARNING,
                    "hints of an MCP server say what these tools do, and are not trusted: {0}. Each of them is taken "
                            + "for a WRITE, so a second read gets the result of the first. If you trust the server: "
                            + "IdemTools.of(idem, provider).trustHints()",
                    String.join(", ", names));
        }
    }
}
