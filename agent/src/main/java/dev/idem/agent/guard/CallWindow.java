package dev.idem.agent.guard;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The last calls of a session, and its usage. Not thread-safe. */
final class CallWindow {
    private final ArrayDeque<CountedCall> window = new ArrayDeque<>();
    private final int size;
    private final Map<String, CallUsage> tools = new HashMap<>();
    private CallUsage session = CallUsage.NOTHING;

    CallWindow(int size) {
        this.size = size;
    }

    void began(CountedCall step) {
        window.addLast(step);
        if (window.size() > size) {
            window.removeFirst();
        }
        session = session.began();
        tools.merge(step.tool, CallUsage.NOTHING.began(), (before, one) -> before.began());
    }

    /** Records the end of a call; the first end counts. */
    void ended(CountedCall step, Ending ending) {
        if (step.ending() != null) {
            return;
        }
        step.ended(ending);
        session = session.ended(ending);
        tools.compute(step.tool, (tool, before) -> (before == null ? CallUsage.NOTHING : before).ended(ending));
        if (ending.how() == Ending.How.RESUMED || ending.how() == Ending.How.UNCLEAR) {
            window.removeIf(one -> one == step);
        }
        if (ending.changed()) {
            window.removeIf(one -> one.read);
        }
    }

    /** The identical calls in the window, this one included, oldest first. */
    List<CountedCall> same(CountedCall step) {
        return window.stream().filter(step::sameAs).toList();
    }

    CallUsage session() {
        return session;
    }

    CallUsage tool(String tool) {
        return tools.getOrDefault(tool, CallUsage.NOTHING);
    }
}
