package dev.idem.agent.tool;

import dev.idem.Entry;
import dev.idem.Probe.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Asks the outside world whether a doubted call of a tool took effect; see {@link dev.idem.Probe}.
 *
 * @param <I> the tool's input
 */
@FunctionalInterface
public interface ToolProbe<I> {
    /** Returns the verdict. An exception counts as {@link Verdict#unknown()}. */
    Verdict<? extends @Nullable Object> ask(Entry doubted, I input) throws Exception;
}
