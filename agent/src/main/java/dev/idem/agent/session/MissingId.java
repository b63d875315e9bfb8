package dev.idem.agent.session;

import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.lang.System.Logger.Level;
import java.util.Set;

/**
 * Refuses tools with effects, because the session has no id that a restart would find. The model gets the reason with
 * each call; the log names each tool once.
 *
 * @param lineToAdd the line of code that the developer has to add
 * @param warned the tools that the log has named
 */
record MissingId(String lineToAdd, Set<String> warned) {
    private static final System.Logger LOG = System.getLogger("dev.idem.agent");

    Refused refuse(Tool tool) {
        if (warned.add(tool.name())) {
            LOG.log(
                    Level.WARNING,
                    "tool ''{0}'' was refused: it has effects ({1}), and the call came without a session id. Add: {2}",
                    tool.name(),
                    tool.sideEffect().word(),
                    lineToAdd);
        }
        String text = "'" + tool.name() + "' was not called: it has effects ("
                + tool.sideEffect().word()
                + "), and this conversation has no id of its own, so nothing could tell a repeat from a new task. "
                + "The developer has to add: " + lineToAdd;
        return new Refused(tool.name(), Status.NO_SESSION, text, null, null);
    }
}
