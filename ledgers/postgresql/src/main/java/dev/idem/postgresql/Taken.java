package dev.idem.postgresql;

import dev.idem.entry.Entry;
import dev.idem.entry.Fence;
import dev.idem.entry.Moment;
import dev.idem.ledger.Claim;
import dev.idem.ledger.ClaimRequest;
import dev.idem.ledger.StateMachine;
import dev.idem.sql.EntryReader;
import dev.idem.sql.Micros;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads what a claim without a judgement is answered with. */
final class Taken {
    private Taken() {}

    /** Reads the current row, an entry that was granted being made from what was asked for; without one, ask again. */
    static Answer read(ResultSet row, StateMachine rules, ClaimRequest stored) throws SQLException {
        Moment now = Moment.ofWall(Micros.instant(row.getLong(1)));
        long fence = row.getLong(2);
        if (!row.wasNull()) {
            Claim granted =
                    rules.claim(null, stored, now, () -> new Fence(fence)).answer();
            return new Answer(now, true, granted.entry());
        }
        PackedEntry cells = PackedEntry.of(row.getString(3));
        if (cells == null) {
            return new Answer(now, false, null);
        }
        byte[] large = row.getBytes(4);
        Entry entry = EntryReader.read(cells, large == null ? cells.body() : large, cells.fence())
                .entry();
        return new Answer(now, false, entry);
    }
}
