package dev.idem.internal.store;

import dev.idem.Entry;
import dev.idem.State;
import dev.idem.spi.Doubt;
import dev.idem.spi.Failure;
import dev.idem.spi.Mark;
import dev.idem.spi.Result;
import dev.idem.spi.Settlement;
import dev.idem.spi.browse.TrailLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The history of an entry. Its lines name owners and reasons, and hold no payloads and no messages of exceptions.
 *
 * <p>The entry itself tells how its newest attempt began and ended. That becomes a line only when the entry changes
 * again. Most entries begin and end once, and store no line.
 *
 * @param past lines of events that the entry itself no longer shows, oldest first
 * @param began the event by which the newest attempt began; null when it is in the past
 * @param ended the event by which it ended; null when it is in the past, or has not ended
 */
public record Trail(
        List<TrailLine> past,
        @Nullable String began,
        @Nullable String ended) {
    /** The trail of an entry that was granted for the first time. */
    public static final Trail FIRST = new Trail(List.of(), "granted", null);

    private static final int FIRST_LINES = 20;
    private static final int NEWEST_LINES = 480;

    /** Keeps the first and the newest lines of a long trail. */
    public Trail {
        if (past.size() > FIRST_LINES + NEWEST_LINES) {
            List<TrailLine> kept = new ArrayList<>(past.subList(0, FIRST_LINES));
            kept.addAll(past.subList(past.size() - NEWEST_LINES, past.size()));
            past = kept;
        }
        past = List.copyOf(past);
    }

    /** The time of the oldest line behind those that are missing; null if the trail is whole. */
    @Nullable
    Instant cutUntil() {
        return past.size() < FIRST_LINES + NEWEST_LINES
                ? null
                : past.get(FIRST_LINES).at();
    }

    /** All lines, oldest first. */
    List<TrailLine> lines(Entry entry) {
        List<TrailLine> lines = new ArrayList<>(past);
        if (began != null) {
            String who = entry.tenure().owner().name() + ", attempt " + entry.attempt();
            lines.add(new TrailLine(entry.times().claimed(), entry.fence(), began, who));
        }
        Instant settled = entry.times().settled();
        if (ended != null && settled != null) {
            lines.add(new TrailLine(settled, entry.fence(), ended, ending(entry, ended), entry.resolution()));
        }
        return lines;
    }

    /** The entry was granted again. */
    Trail granted(Entry before, Entry after, Instant now) {
        String event = after.probing() ? "probing" : after.doubt() == null ? "granted" : "rerun";
        return new Trail(withLapse(before, after.doubt(), now), event, null);
    }

    /** A mark was added. */
    public Trail marked(Entry before, Mark mark, Instant now) {
        String detail = mark.child() == null ? mark.name() : mark.name() + ", " + mark.child();
        return new Trail(and(before, new TrailLine(now, before.fence(), "marked", detail)), null, null);
    }

    /** The attempt ended. A completion may follow a doubt: then both become lines. */
    public Trail settled(Entry before, State as) {
        return ended == null ? new Trail(past, began, as.word()) : new Trail(lines(before), null, as.word());
    }

    /** A person resolved the entry; where it is still in doubt, nobody did, and its next round was begun. */
    public Trail resolved(Entry before, @Nullable Doubt doubt, Instant now, State as) {
        return new Trail(withLapse(before, doubt, now), null, as == State.IN_DOUBT ? as.word() : "resolved");
    }

    /** The entry was forgotten. */
    public Trail forgotten(Entry before, Instant now) {
        String detail = "was " + before.state().word();
        return new Trail(and(before, new TrailLine(now, before.fence(), "forgotten", detail)), null, null);
    }

    /** The entry's own lines, and a line for a lapsed lease, which no write has recorded. */
    private List<TrailLine> withLapse(Entry before, @Nullable Doubt doubt, Instant now) {
        if (before.state() != State.IN_PROGRESS) {
            return lines(before);
        }
        return and(
                before,
                doubt == null
                        ? new TrailLine(now, before.fence(), State.FAILED.word(), "it ended before its first mark")
                        : new TrailLine(now, before.fence(), State.IN_DOUBT.word(), doubt.reason()));
    }

    private List<TrailLine> and(Entry before, TrailLine line) {
        List<TrailLine> lines = lines(before);
        lines.add(line);
        return lines;
    }

    private static String ending(Entry entry, String event) {
        Settlement how = entry.settlement();
        Failure failure = entry.failure();
        if (event.equals("resolved")) {
            return "as " + entry.state().word() + (entry.note() == null ? "" : ", " + entry.note());
        } else if (how instanceof Settlement.Completed completed) {
            return completed.result() instanceof Result.Unavailable unavailable
                    ? completed.effect().word() + ", no result to replay: " + unavailable.why()
                    : completed.effect().word();
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            return notExecuted.evidence();
        }
        return failure == null ? "" : failure.type();
    }
}
