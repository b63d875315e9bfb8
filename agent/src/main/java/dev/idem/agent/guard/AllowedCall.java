package dev.idem.agent.guard;

import org.jspecify.annotations.Nullable;

/** The call may run. Tell how it ended: the first ending counts. */
public final class AllowedCall implements LoopVerdict {
    private final LoopWatch watch;
    private final Counters.Place place;
    private final CountedCall step;
    private final long began;

    AllowedCall(LoopWatch watch, Counters.Place place, CountedCall step, long began) {
        this.watch = watch;
        this.place = place;
        this.step = step;
        this.began = began;
    }

    /**
     * It ran, or was answered for a repetition of this run.
     *
     * @param result what a repetition will be reminded of
     */
    public void returned(@Nullable Object result) {
        step.gave(result);
        watch.ended(place, step, Ending.How.RETURNED, began);
    }

    /** It failed. */
    public void threw(Throwable thrown) {
        step.threw(thrown);
        watch.ended(place, step, Ending.How.THREW, began);
    }

    /**
     * It ended in doubt, and the same call made again finds out what came of it. It counts as a failure, and not as one
     * of the identical calls that make a loop.
     */
    public void unclear(Throwable thrown) {
        step.threw(thrown);
        watch.ended(place, step, Ending.How.UNCLEAR, began);
    }

    /** It was answered from an earlier run of the task, which is being resumed: it is not counted. */
    public void resumed() {
        watch.ended(place, step, Ending.How.RESUMED, began);
    }
}
