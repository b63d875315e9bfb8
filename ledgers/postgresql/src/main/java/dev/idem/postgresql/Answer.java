package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.Moment;
import dev.idem.sql.EntryReader;
import dev.idem.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * What a step has found.
 *
 * @param now the server's time, by which the step was judged
 * @param changed whether the step has changed the entry
 * @param entry as it is after the step; null when there is none
 */
record Answer(Moment now, boolean changed, @Nullable Entry entry) {
    /** Reads the current row. */
    static Answer read(ResultSet row) throws SQLException {
        return read(row, null);
    }

    /**
     * Reads the current row.
     *
     * @param ownBody the bytes of the result where they were not sent back, since it was this side that sent them
     */
    static Answer read(ResultSet row, byte @Nullable [] ownBody) throws SQLException {
        Moment now = Moment.ofWall(Micros.instant(row.getLong(1)));
        boolean changed = row.getBoolean(2);
        PackedEntry cells = PackedEntry.of(row.getString(3));
        if (cells == null) {
            return new Answer(now, changed, null);
        }
        byte[] body = row.getBytes(4);
        return new Answer(
                now,
                changed,
                EntryReader.read(cells, body == null ? ownBody : body, cells.fence())
                        .entry());
    }

    /** The entry of a step that always finds one. */
    Entry found() {
        if (entry == null) {
            throw new IllegalStateException("a claim was answered without an entry");
        }
        return entry;
    }
}
