package dev.idem.agent.guard;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The call must not run. Immutable. */
public final class StoppedCall implements LoopVerdict {
    private final String tool;
    private final Why why;
    private final int times;
    private final @Nullable Object earlierResult;
    private final String forModel;

    StoppedCall(String tool, Why why, int times, @Nullable Object earlierResult, String forModel) {
        this.tool = tool;
        this.why = why;
        this.times = times;
        this.earlierResult = earlierResult;
        this.forModel = forModel;
    }

    /** Which limit was reached. */
    public enum Why {
        LOOP,
        TOOL_CALLS,
        TOOL_FAILURES,
        TOOL_TIME,
        SESSION_CALLS,
        SESSION_FAILURES,
        SESSION_TIME;

        /** The word used in events and metrics. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public String tool() {
        return tool;
    }

    public Why why() {
        return why;
    }

    /** The number of identical calls in the window, or the used part of the limit. */
    public int times() {
        return times;
    }

    /** The result of the earlier call, where this process knows it. */
    public @Nullable Object earlierResult() {
        return earlierResult;
    }

    /** The text for the model: the call, how often, its result, and the next step. */
    public String forModel() {
        return forModel;
    }

    /** Shows no results. */
    @Override
    public String toString() {
        return "Stopped[" + tool + ", " + why.word() + ", " + times + "]";
    }
}
