package dev.idem.agent.check;

import dev.idem.agent.tool.Tool;
import org.jspecify.annotations.Nullable;

/**
 * A tool to be checked.
 *
 * @param source where it was found
 * @param scope in which its keys would be, where that is known
 */
record Checked(Tool tool, String source, @Nullable String scope) {
    Finding finding(Rule rule, String message, String fix) {
        return finding(rule, rule.severity(), message, fix);
    }

    Finding finding(Rule rule, Severity severity, String message, String fix) {
        return new Finding(rule.id(), severity, tool.name(), source, message, fix);
    }
}
