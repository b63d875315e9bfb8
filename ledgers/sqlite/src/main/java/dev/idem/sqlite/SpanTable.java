package dev.idem.sqlite;

import dev.idem.entry.Entry;
import dev.idem.entry.Retention;
import dev.idem.entry.State;
import dev.idem.sql.Micros;
import dev.idem.sql.Outcome;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where entries are that come due, or are in progress or in doubt: a row for every 1024 fences instead of an index of
 * all entries. A row is written when its first fence is granted, and again only when one of its entries comes due before
 * those that were settled earlier.
 */
final class SpanTable {
    /** What is in progress or in doubt never comes due. */
    private static final long NEVER = Long.MAX_VALUE;

    private static final int WIDTH = 1024;

    /**
     * A span that has or may get running entries is looked at again after this long: whoever settles them may not know
     * that it was looked at meanwhile.
     */
    private static final Duration LOOK_AGAIN = Duration.ofHours(1);

    private final SqliteConnection sqlite;
    private final Remembered remembered;

    SpanTable(SqliteConnection sqlite, Remembered remembered) {
        this.sqlite = sqlite;
        this.remembered = remembered;
    }

    /** When a purge has something to do with an entry next, in microseconds; the end of time for never. */
    static long due(Entry entry) {
        Instant expires = entry.times().expires();
        if (expires == null) {
            return NEVER;
        }
        return Micros.of(entry.state() == State.EXPIRED ? expires.plus(tombstone(entry)) : expires);
    }

    private static Duration tombstone(Entry entry) {
        Retention retention = Outcome.of(entry.settlement()).retention();
        return retention == null ? Duration.ZERO : retention.tombstone();
    }

    /** Whether {@link #cover} has nothing to write. */
    boolean covers(long fence) {
        return remembered.covers(fence / WIDTH);
    }

    /** Makes sure that there is a row for a fence that is granted. */
    void cover(long fence) throws SQLException {
        long span = fence / WIDTH;
        if (!remembered.covers(span)) {
            PreparedStatement cover = sqlite.statement("cover-span");
            cover.setLong(1, span);
            cover.executeUpdate();
            remembered.cover(span);
        }
    }

    /** Makes sure that a purge looks at the entry in time. */
    void comesDue(Entry entry) throws SQLException {
        if (!knowsThatItComesDue(entry)) {
            long span = entry.fence().number() / WIDTH;
            long due = due(entry);
            PreparedStatement lower = sqlite.statement("span-comes-due");
            lower.setLong(1, due);
            lower.setLong(2, span);
            lower.executeUpdate();
            remembered.spanDue(span, due);
        }
    }

    /**
     * Whether {@link #comesDue} has nothing to write. What is known of a time that has come when the entry is settled
     * counts for nothing: another's purge may have put it off.
     */
    boolean knowsThatItComesDue(Entry entry) {
        long due = due(entry);
        Instant settled = entry.times().settled();
        long now = settled == null ? NEVER : Micros.of(settled);
        return due == NEVER || remembered.comesDue(entry.fence().number() / WIDTH, now, due);
    }

    /** The same, after a look at its row if nothing is known of that. */
    boolean seesThatItComesDue(Entry entry) throws SQLException {
        long span = entry.fence().number() / WIDTH;
        if (!remembered.knowsDue(span)) {
            PreparedStatement look = sqlite.statement("span-due");
            look.setLong(1, span);
            try (ResultSet row = look.executeQuery()) {
                if (row.next()) {
                    remembered.spanDue(span, row.getLong(1));
                }
            }
        }
        return knowsThatItComesDue(entry);
    }

    /** The span that comes due first, if it has come due. */
    @Nullable
    Long due(Instant now) throws SQLException {
        PreparedStatement first = sqlite.statement("due-span");
        first.setLong(1, Micros.of(now));
        try (ResultSet row = first.executeQuery()) {
            return row.next() ? (Long) row.getLong(1) : null;
        }
    }

    /** The entries of a span that have come due. The caller closes them. */
    ResultSet entries(long span, Instant now, int limit) throws SQLException {
        PreparedStatement select = sqlite.statement("due-entries");
        range(select, span);
        select.setLong(3, Micros.of(now));
        select.setInt(4, limit);
        return select.executeQuery();
    }

    /** Writes down how a span is after a purge. The newest stays, even when it is empty: it may get new entries. */
    void lookAt(long span, Instant now) throws SQLException {
        remembered.forgetSpans();
        PreparedStatement look = sqlite.statement("look-at-span");
        range(look, span);
        long entries;
        long open;
        long due;
        try (ResultSet row = look.executeQuery()) {
            row.next();
            entries = row.getLong(1);
            open = row.getLong(2);
            due = row.getLong(3);
        }
        boolean newest = span >= newest();
        if (entries == 0 && !newest) {
            PreparedStatement remove = sqlite.statement("remove-span");
            remove.setLong(1, span);
            remove.executeUpdate();
            return;
        }
        boolean unsettled = open > 0 || newest;
        PreparedStatement update = sqlite.statement("span");
        update.setLong(1, unsettled ? Math.min(due, Micros.of(now.plus(LOOK_AGAIN))) : due);
        update.setLong(2, unsettled ? 1 : 0);
        update.setLong(3, span);
        update.executeUpdate();
    }

    /** The number of the newest span; -1 where there is none. */
    long newest() throws SQLException {
        try (ResultSet row = sqlite.statement("newest-span").executeQuery()) {
            row.next();
            return row.getLong(1);
        }
    }

    /** Writes down that a span has nothing in progress or in doubt, and never will. */
    void end(long span) throws SQLException {
        PreparedStatement end = sqlite.statement("end-span");
        end.setLong(1, span);
        end.executeUpdate();
    }

    private static void range(PreparedStatement statement, long span) throws SQLException {
        statement.setLong(1, span * WIDTH);
        statement.setLong(2, span * WIDTH + WIDTH - 1);
    }
}
