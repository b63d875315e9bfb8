package dev.idem.postgresql;

import dev.idem.entry.Fence;
import dev.idem.entry.Moment;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.StateMachine;
import dev.idem.sql.EntryReader;
import dev.idem.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Reads what a claim without a judgement is answered with. */
final class Taken {
    private static final Answer ASK_AGAIN = new Answer(Moment.ofWall(Micros.instant(0)), false, null);

    private Taken() {}

    /**
     * Reads the time and, behind it, the fence of what was granted or the entry that was found after all. What was granted
     * is made from what was asked for.
     */
    static Answer read(@Nullable String taken, StateMachine rules, ClaimRequest stored) throws SQLException {
        if (taken == null) {
            return ASK_AGAIN;
        }
        int space = taken.indexOf(' ');
        Moment now = moment(Long.parseLong(taken, 0, space, 10));
        if (taken.charAt(space + 1) == '(') {
            return found(now, taken.substring(space + 1), null);
        }
        Fence fence = new Fence(Long.parseLong(taken, space + 1, taken.length(), 10));
        return new Answer(
                now, true, rules.claim(null, stored, now, () -> fence).answer().entry());
    }

    /** Reads the current row: the time in its second column, the entry, and the bytes of a large result. */
    static Answer found(ResultSet row) throws SQLException {
        return found(moment(row.getLong(2)), row.getString(3), row.getBytes(4));
    }

    private static Answer found(Moment now, @Nullable String entry, byte @Nullable [] large) throws SQLException {
        PackedEntry cells = PackedEntry.of(entry);
        return cells == null
                ? ASK_AGAIN
                : new Answer(
                        now,
                        false,
                        EntryReader.read(cells, large == null ? cells.body() : large, cells.fence())
                                .entry());
    }

    private static Moment moment(long micros) {
        return Moment.ofWall(Micros.instant(micros));
    }
}
