package dev.idem.agent.guard;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The last calls of a session, and what it has used. Not safe for threads by itself. */
final class Tally {
    private final ArrayDeque<Step> window = new ArrayDeque<>();
    private final int size;
    private final Map<String, Usage> tools = new HashMap<>();
    private Usage session = Usage.NOTHING;

    Tally(int size) {
        this.size = size;
    }

    void began(Step step) {
        window.addLast(step);
        if (window.size() > size) {
            window.removeFirst();
        }
        session = session.began();
        tools.merge(step.tool, Usage.NOTHING.began(), (before, one) -> before.began());
    }

    /** The first ending counts. */
    void ended(Step step, Ending ending) {
        if (step.ending() != null) {
            return;
        }
        step.ended(ending);
        session = session.ended(ending);
        tools.compute(step.tool, (tool, before) -> (before == null ? Usage.NOTHING : before).ended(ending));
        if (ending.how() == Ending.How.RESUMED || ending.how() == Ending.How.UNCLEAR) {
            window.removeIf(one -> one == step);
        }
    }

    /** The calls in the window that are the same as this one, itself included, oldest first. */
    List<Step> same(Step step) {
        return window.stream().filter(step::sameAs).toList();
    }

    Usage session() {
        return session;
    }

    Usage tool(String tool) {
        return tools.getOrDefault(tool, Usage.NOTHING);
    }
}
