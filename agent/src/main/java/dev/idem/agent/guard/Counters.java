package dev.idem.agent.guard;

import org.jspecify.annotations.Nullable;

/** Where the calls of one session are counted. Used under the lock of its watch. */
interface Counters {
    /** Names a call where it is counted; null where there is no such place. */
    record Place(@Nullable Object name) {
        static final Place NONE = new Place(null);
    }

    /** Counts a call, after all that others have counted meanwhile. */
    Place begin(CountedCall step, CallWindow tally);

    /** Writes down how it ended. */
    void end(Place place, Ending ending);

    /** In this process alone: the tally is all there is. */
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
