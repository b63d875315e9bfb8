package dev.idem.mcp.guard;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rules of the tools of a server, by the names of the tools. */
public record ToolRules(Map<String, ToolRule> tools) {
    public ToolRule of(String tool) {
        return tools.getOrDefault(tool, ToolRule.NONE);
    }

    /** The rules that fit no tool of the server, in words. Probably they have a typing error, and do not apply. */
    List<String> misfits(KnownTools known) {
        List<String> misfits = new ArrayList<>();
        tools.forEach((tool, rule) -> {
            if (!known.has(tool)) {
                misfits.add("the rules name the tool '" + tool + "', which the server does not have");
                return;
            }
            Set<String> arguments = known.arguments(tool);
            for (String field : rule.identity()) {
                if (!arguments.isEmpty() && !arguments.contains(field)) {
                    misfits.add("the identity of '" + tool + "' names '" + field + "', which is none of its arguments: "
                            + String.join(", ", arguments));
                }
            }
            ToolRule.ProbeRule probe = rule.probe();
            if (probe != null && !known.has(probe.tool())) {
                misfits.add("the probe of '" + tool + "' asks '" + probe.tool() + "', which the server does not have");
            }
        });
        return misfits;
    }

    /** The names of the tools that have a rule. */
    public Set<String> names() {
        return tools.keySet();
    }
}
