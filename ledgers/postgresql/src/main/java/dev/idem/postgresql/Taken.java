package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Moment;
import dev.idem.entry.State;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.StateMachine;
import dev.idem.sql.EntryReader;
import dev.idem.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** Reads what a claim without a judgement is answered with. */
final class Taken {
    private static final char GRANTED_AFRESH = 'G';
    private static final char CHANGED = 'C';

    private Taken() {}

    /**
     * Reads the current row; an entry that was granted afresh is made from what was asked for. Without an entry the
     * answer is to ask again.
     */
    static Answer read(ResultSet row, StateMachine rules, ClaimRequest stored) throws SQLException {
        String text = row.getString(2);
        return text == null ? complete(row) : taken(text, rules, stored);
    }

    private static Answer complete(ResultSet row) throws SQLException {
        PackedEntry cells = PackedEntry.of(row.getString(3));
        if (cells == null) {
            throw new IllegalStateException("a claim was answered without an entry");
        }
        byte[] large = row.getBytes(4);
        Entry entry = EntryReader.read(cells, large == null ? cells.body() : large, cells.fence())
                .entry();
        return new Answer(Moment.ofWall(Micros.instant(row.getLong(1))), false, entry);
    }

    /** The time, a letter, and a fence or an entry. */
    private static Answer taken(String text, StateMachine rules, ClaimRequest stored) {
        int at = 0;
        while (text.charAt(at) <= '9') {
            at++;
        }
        Moment now = Moment.ofWall(Micros.instant(Long.parseLong(text, 0, at, 10)));
        if (text.charAt(at) == GRANTED_AFRESH) {
            Fence fence = new Fence(Long.parseLong(text, at + 1, text.length(), 10));
            Claim granted = rules.claim(null, stored, now, () -> fence).answer();
            return new Answer(now, true, granted.entry());
        }
        PackedEntry cells = PackedEntry.of(text, at + 1);
        if (cells == null) {
            throw new IllegalStateException("a claim was answered without an entry");
        }
        Entry entry = EntryReader.read(cells, null, cells.fence()).entry();
        return new Answer(now, text.charAt(at) == CHANGED, lacksItsResult(entry, now) ? null : entry);
    }

    /** Whether it was completed since the statement began, which has sent no bytes. */
    private static boolean lacksItsResult(Entry entry, Moment now) {
        Instant expires = entry.times().expires();
        return entry.state() == State.COMPLETE && expires != null && now.wall().isBefore(expires);
    }
}
