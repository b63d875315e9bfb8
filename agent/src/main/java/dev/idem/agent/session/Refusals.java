package dev.idem.agent.session;

import dev.idem.agent.tool.Tool;
import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.util.List;

/** What a model is told about calls that never came to a claim. */
final class Refusals {
    private Refusals() {}

    static Refused unknown(String name, List<String> known) {
        String text = "There is no tool '" + name + "', so nothing was called. "
                + (known.isEmpty() ? "There are no tools." : "The tools are: " + String.join(", ", known) + ".");
        return new Refused(name, Status.UNKNOWN_TOOL, text, null, null);
    }

    static Refused noSession(Tool tool, String lineToAdd) {
        String text = "'" + tool.name() + "' was not called: it has effects ("
                + tool.sideEffect().word()
                + "), and this conversation has no id of its own, so nothing could tell a repeat from a new task. "
                + "The developer has to add: " + lineToAdd;
        return new Refused(tool.name(), Status.NO_SESSION, text, null, null);
    }
}
