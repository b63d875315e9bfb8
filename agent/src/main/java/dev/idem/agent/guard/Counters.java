package dev.idem.agent.guard;

import org.jspecify.annotations.Nullable;

/** Counts the calls of one session. The watch calls it under its lock. */
interface Counters {
    /** The place of a counted call; its name is null where the counter needs none. */
    record Place(@Nullable Object name) {
        static final Place NONE = new Place(null);
    }

    /** Counts a call, after the calls that other processes have counted meanwhile. */
    Place begin(CountedCall step, CallWindow tally);

    /** Records the end of a call. */
    void end(Place place, Ending ending);

    /** Counts in this process only. */
    Counters MEMORY = new Counters() {
        @Override
        public Place begin(CountedCall step, CallWindow tally) {
            tally.began(step);
            return Place.NONE;
        }

        @Override
        public void end(Place place, Ending ending) {}
    };
}
