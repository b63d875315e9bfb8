package dev.idem.sqlite;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.ledger.Clocks;
import dev.idem.ledger.StateMachine;
import dev.idem.sql.EntryRow;
import dev.idem.sql.TrailChange;
import java.sql.SQLException;
import java.util.List;

/** Removes what has expired, in transactions that are short enough for nobody to wait long. */
final class Purge {
    private static final int BATCH = 64;
    private static final int MOST_ENDED_SPANS = 64;

    private final StateMachine rules;
    private final Clocks clocks;
    private final Readers readers;
    private final GroupCommit commits;

    Purge(StateMachine rules, Clocks clocks, Readers readers, GroupCommit commits) {
        this.rules = rules;
        this.clocks = clocks;
        this.readers = readers;
        this.commits = commits;
    }

    /** Purges so many entries at most, and says how many. */
    int upTo(int limit) {
        int purged = 0;
        Progress progress = new Progress(0, true);
        while (progress.more() && purged < limit) {
            int batch = Math.min(BATCH, limit - purged);
            progress = commits.submit(transaction -> purge(transaction, batch));
            purged += progress.purged();
        }
        endSpans();
        return purged;
    }

    /** What one short transaction did, and whether there may be more to do. */
    private record Progress(int purged, boolean more) {}

    private Progress purge(WriteTransaction transaction, int limit) throws SQLException {
        Moment now = clocks.now();
        transaction.dropForgottenTrails(now.wall(), limit);
        Long span = transaction.dueSpan(now.wall());
        if (span == null) {
            return new Progress(0, false);
        }
        List<EntryRow> due = transaction.due(span, now.wall(), limit);
        int purged = 0;
        for (EntryRow row : due) {
            Entry left = rules.purged(row.entry(), now);
            if (left != null && left.state() == row.entry().state()) {
                // Due only by a wall clock that was stepped forward; it is purged when its time is really over.
                continue;
            } else if (left == null) {
                transaction.drop(row);
            } else {
                transaction.replace(row, left, TrailChange.none(row));
            }
            purged++;
        }
        transaction.purged(span, now.wall());
        return new Progress(purged, due.isEmpty() || purged > 0);
    }

    /** Finds out, beside whoever writes, where nothing is in progress or in doubt any more. */
    private void endSpans() {
        List<Long> ended = readers.read(sqlite -> Finding.endedSpans(sqlite, MOST_ENDED_SPANS));
        if (!ended.isEmpty()) {
            commits.submit(transaction -> transaction.end(ended));
        }
    }
}
