package dev.idem.agent.session;

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
}
