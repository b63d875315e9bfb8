package dev.idem.testkit.model;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.AttemptId;
import dev.idem.spi.Mark;
import dev.idem.spi.Settlement;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of an entry on which the model and a ledger must agree. */
record Picture(
        State state,
        long fence,
        int attempt,
        @Nullable String identity,
        AttemptId attemptId,
        String owner,
        Instant lease,
        Instant limit,
        long acted,
        boolean staged,
        List<Mark> marks,
        boolean doubted,
        @Nullable Settlement settlement,
        Instant created,
        Instant claimed,
        @Nullable Instant settled,
        @Nullable Instant expires) {

    static Picture of(Entry entry) {
        return new Picture(
                entry.state(),
                entry.fence().number(),
                entry.attempt(),
                entry.fingerprints().identity(),
                entry.tenure().attemptId(),
                entry.tenure().owner().name(),
                entry.tenure().lease().wall(),
                entry.tenure().limit().wall(),
                entry.tenure().acted().number(),
                entry.tenure().staged(),
                entry.tenure().marks(),
                entry.doubt() != null,
                remembered(entry),
                entry.times().created(),
                entry.times().claimed(),
                entry.times().settled(),
                entry.times().expires());
    }

    /** The settlement, except for a lapse without a mark and for tombstones, which are not compared. */
    private static @Nullable Settlement remembered(Entry entry) {
        boolean harmlessLapse = entry.state() == State.FAILED && entry.times().settled() == null;
        return harmlessLapse || entry.state() == State.EXPIRED ? null : entry.settlement();
    }
}
