package dev.idem.agent.retry;

import java.util.Locale;

/**
 * The reason why a failure was not tried again. It is never thrown: it is attached to the failure as a suppressed
 * exception, so that it shows in the stack trace.
 */
public final class RetryStopped extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final Why why;
    private final int attempts;

    RetryStopped(Why why, int attempts) {
        super(
                "tried " + (attempts == 1 ? "once" : attempts + " times") + "; not again, since " + why.words,
                null,
                true,
                false);
        this.why = why;
        this.attempts = attempts;
    }

    /** Why there was no other try. */
    public enum Why {
        SIDE_EFFECT("its side effect forbids it"),
        MAY_HAVE_HAPPENED("it may have happened, and another run could do it twice"),
        NOT_PASSING("another try would not go better, or nothing is known about this failure"),
        ATTEMPTS("that is the most there may be"),
        TOTAL_LIMIT("the time for all tries would be over"),
        BUDGET("the budget for retries is used up"),
        NOT_OWNER("this call no longer owns the operation"),
        INTERRUPTED("the thread was interrupted");

        private final String words;

        Why(String words) {
            this.words = words;
        }

        /** The word used in events and metrics. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public Why why() {
        return why;
    }

    /** How often it was tried. */
    public int attempts() {
        return attempts;
    }
}
