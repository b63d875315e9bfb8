package dev.idem.sql;

import dev.idem.entry.Doubt;
import dev.idem.entry.Entry;
import dev.idem.entry.Mark;
import dev.idem.entry.State;
import dev.idem.ledger.TrailLine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a change of an entry does to its trail.
 *
 * @param lines to be written, oldest first
 * @param began how the newest attempt began, as far as that is still told by the entry alone
 * @param ended how it ended, likewise
 */
public record TrailChange(
        List<TrailLine> lines,
        @Nullable String began,
        @Nullable String ended) {
    /** The first grant. */
    public static TrailChange first() {
        return new TrailChange(List.of(), TrailLines.GRANTED, null);
    }

    /** Nothing that would be told: a heartbeat, a claim that was sent again, a purge to a tombstone. */
    public static TrailChange none(EntryRow found) {
        return new TrailChange(List.of(), found.trail().began(), found.trail().ended());
    }

    /** A claim of an entry that was there. */
    public static TrailChange claimed(EntryRow found, Entry after, Instant now) {
        if (found.entry().fence().equals(after.fence())) {
            return none(found);
        }
        String began =
                after.probing() ? TrailLines.PROBING : after.doubt() == null ? TrailLines.GRANTED : TrailLines.RERUN;
        return new TrailChange(withLapse(found, after.doubt(), now), began, null);
    }

    /** A mark. */
    public static TrailChange marked(EntryRow found, Mark mark, Instant now) {
        List<TrailLine> lines = new ArrayList<>(TrailLines.untold(found));
        lines.add(TrailLines.marked(found.entry(), mark, now));
        return new TrailChange(lines, null, null);
    }

    /** A settle. */
    public static TrailChange settled(EntryRow found, Entry after) {
        // News of a doubted attempt comes after its doubt was settled: both are told.
        return found.trail().ended() == null
                ? new TrailChange(
                        List.of(), found.trail().began(), after.state().word())
                : new TrailChange(TrailLines.untold(found), null, after.state().word());
    }

    /** A person's word. */
    public static TrailChange resolved(EntryRow found, @Nullable Doubt doubt, Instant now) {
        return new TrailChange(withLapse(found, doubt, now), null, TrailLines.RESOLVED);
    }

    /** A forget. */
    public static TrailChange forgotten(EntryRow found, Instant now) {
        List<TrailLine> lines = new ArrayList<>(TrailLines.untold(found));
        lines.add(TrailLines.forgotten(found.entry(), now));
        return new TrailChange(lines, null, null);
    }

    /** What only the entry told, and the lapse that nobody had written down. */
    private static List<TrailLine> withLapse(EntryRow found, @Nullable Doubt doubt, Instant now) {
        List<TrailLine> lines = new ArrayList<>(TrailLines.untold(found));
        if (found.entry().state() == State.IN_PROGRESS) {
            lines.add(TrailLines.lapsed(found.entry(), doubt, now));
        }
        return lines;
    }
}
