package dev.idem.agent.guard;

import org.jspecify.annotations.Nullable;

/** The call may run. Report its end with one of the methods; the first report counts. Thread-safe. */
public final class AllowedCall implements LoopVerdict {
    private final LoopWatch watch;
    private final Counters.Place place;
    private final CountedCall step;
    private final long began;
    private volatile boolean changed;

    AllowedCall(LoopWatch watch, Counters.Place place, CountedCall step, long began) {
        this.watch = watch;
        this.place = place;
        this.step = step;
        this.began = began;
    }

    /**
     * The call returned, or was a replay of this run.
     *
     * @param result shown to the model if it repeats the call
     */
    public void returned(@Nullable Object result) {
        step.gave(result);
        ended(Ending.How.RETURNED);
    }

    /**
     * The call returned, and may have changed something. The reads before it do not count for the loop any more, since they
     * may give another result now.
     *
     * @param result shown to the model if it repeats the call
     */
    public void changed(@Nullable Object result) {
        mayHaveChanged();
        returned(result);
    }

    /**
     * The call may have changed something, whatever is reported as its end: it is in doubt, for instance. The reads before
     * it do not count for the loop any more. Report its end after this.
     */
    public void mayHaveChanged() {
        changed = true;
    }

    /** The call failed. */
    public void threw(Throwable thrown) {
        step.threw(thrown);
        ended(Ending.How.THREW);
    }

    /**
     * The call ended in doubt, and the next identical call resolves it. It counts as a failure, and not for the loop.
     */
    public void unclear(Throwable thrown) {
        step.threw(thrown);
        ended(Ending.How.UNCLEAR);
    }

    /** The call was a replay from an earlier run of the task. It does not count. */
    public void resumed() {
        ended(Ending.How.RESUMED);
    }

    private void ended(Ending.How how) {
        watch.ended(place, step, how, changed, began);
    }
}
