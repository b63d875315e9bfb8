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
import java.util.Optional;

/** Reads what a claim without a judgement is answered with. */
final class Taken {
    private Taken() {}

    /**
     * Reads the one row, an entry that was granted being made from what was asked for; empty when there is no row, and
     * it is to be asked again.
     */
    static Optional<Answer> read(ResultSet rows, StateMachine rules, ClaimRequest stored) throws SQLException {
        if (!rows.next()) {
            return Optional.empty();
        }
        Moment now = Moment.ofWall(Micros.instant(rows.getLong(1)));
        long number = rows.getLong(2);
        if (rows.wasNull()) {
            return Optional.of(new Answer(now, false, found(rows)));
        }
        Fence fence = new Fence(number);
        Claim granted = rules.claim(null, stored, now, () -> fence).answer();
        return Optional.of(new Answer(now, true, granted.entry()));
    }

    private static Entry found(ResultSet row) throws SQLException {
        PackedEntry cells = PackedEntry.of(row.getString(3));
        if (cells == null) {
            throw new IllegalStateException("a claim was answered without an entry");
        }
        byte[] large = row.getBytes(4);
        return EntryReader.read(cells, large == null ? cells.body() : large, cells.fence())
                .entry();
    }
}
