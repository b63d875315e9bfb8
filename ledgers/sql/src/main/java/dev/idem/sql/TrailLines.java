package dev.idem.sql;

import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Failure;
import dev.idem.entry.Mark;
import dev.idem.entry.Result;
import dev.idem.entry.Settlement;
import dev.idem.entry.State;
import dev.idem.ledger.TrailLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The lines that a change of an entry leaves in its trail. They tell who and why, never what was in a payload. */
public final class TrailLines {
    private TrailLines() {}

    /** After a claim that was granted; none when the same claim was only sent again. */
    public static List<TrailLine> claimed(@Nullable Entry before, Entry after, Instant now) {
        if (before != null && before.fence().equals(after.fence())) {
            return List.of();
        }
        List<TrailLine> lines = new ArrayList<>(2);
        if (before != null && before.state() == State.IN_PROGRESS) {
            // The lapse was written down by nobody until now.
            Doubt doubt = after.doubt();
            lines.add(
                    doubt == null
                            ? new TrailLine(now, before.fence(), "failed", "it ended before its first mark")
                            : new TrailLine(now, before.fence(), "in_doubt", doubt.reason()));
        }
        String event = after.probing() ? "probing" : after.doubt() != null ? "rerun" : "granted";
        String detail = after.tenure().owner().name() + ", attempt " + after.attempt();
        lines.add(new TrailLine(now, after.fence(), event, detail));
        return lines;
    }

    /** After a mark. */
    public static List<TrailLine> marked(Entry after, Instant now) {
        Mark mark = after.tenure().lastMark();
        String detail = mark == null ? "" : mark.child() == null ? mark.name() : mark.name() + ", " + mark.child();
        return List.of(new TrailLine(now, after.fence(), "marked", detail));
    }

    /** After a settle. */
    public static List<TrailLine> settled(Entry after, Instant now) {
        return List.of(new TrailLine(now, after.fence(), after.state().word(), ending(after)));
    }

    /** After a person's word. */
    public static List<TrailLine> resolved(Entry after, Instant now) {
        return List.of(new TrailLine(
                now, after.fence(), "resolved", "as " + after.state().word()));
    }

    /** After a forget. */
    public static List<TrailLine> forgotten(Entry before, Instant now) {
        return List.of(new TrailLine(
                now, before.fence(), "forgotten", "was " + before.state().word()));
    }

    private static String ending(Entry after) {
        Settlement how = after.settlement();
        Failure failure = after.failure();
        if (how instanceof Settlement.Completed completed) {
            return completed.result() instanceof Result.Unavailable unavailable
                    ? completed.effect().word() + ", no result to replay: " + unavailable.why()
                    : completed.effect().word();
        } else if (how instanceof Settlement.NotExecuted notExecuted) {
            return notExecuted.evidence();
        }
        return failure == null ? "" : failure.type();
    }
}
