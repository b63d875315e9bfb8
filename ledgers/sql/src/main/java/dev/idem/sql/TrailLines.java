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

/** The lines of trails. They tell who and why, never what was in a payload or a message. */
public final class TrailLines {
    static final String GRANTED = "granted";
    static final String PROBING = "probing";
    static final String RERUN = "rerun";
    static final String RESOLVED = "resolved";

    private TrailLines() {}

    /** What the entry alone tells: how its newest attempt began and ended. */
    public static List<TrailLine> untold(EntryRow row) {
        List<TrailLine> lines = new ArrayList<>(2);
        Entry entry = row.entry();
        String began = row.trail().began();
        if (began != null) {
            String who = entry.tenure().owner().name() + ", attempt " + entry.attempt();
            lines.add(new TrailLine(entry.times().claimed(), entry.fence(), began, who));
        }
        String ended = row.trail().ended();
        Instant settled = entry.times().settled();
        if (ended != null && settled != null) {
            lines.add(new TrailLine(settled, entry.fence(), ended, ending(entry, ended)));
        }
        return lines;
    }

    static TrailLine lapsed(Entry entry, @Nullable Doubt doubt, Instant now) {
        return doubt == null
                ? new TrailLine(now, entry.fence(), State.FAILED.word(), "it ended before its first mark")
                : new TrailLine(now, entry.fence(), State.IN_DOUBT.word(), doubt.reason());
    }

    static TrailLine marked(Entry entry, Mark mark, Instant now) {
        String detail = mark.child() == null ? mark.name() : mark.name() + ", " + mark.child();
        return new TrailLine(now, entry.fence(), "marked", detail);
    }

    static TrailLine forgotten(Entry entry, Instant now) {
        return new TrailLine(
                now, entry.fence(), "forgotten", "was " + entry.state().word());
    }

    private static String ending(Entry entry, String event) {
        Settlement how = entry.settlement();
        Failure failure = entry.failure();
        if (event.equals(RESOLVED)) {
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
