package dev.idem.agent.session;

import dev.idem.agent.tool.ToolAnswer.Refused;
import dev.idem.agent.tool.ToolAnswer.Status;
import java.util.List;

/** Answers for calls that were refused before a claim. */
final class Refusals {
    private Refusals() {}

    static Refused unknown(String name, List<String> known) {
        String text = "There is no tool '" + name + "', so nothing was called. "
                + (known.isEmpty() ? "There are no tools." : "The tools are: " + String.join(", ", known) + ".");
        return new Refused(name, Status.UNKNOWN_TOOL, text, null, null);
    }
}
