package dev.idem.sqlite;

import dev.idem.entry.Address;
import dev.idem.entry.Fence;
import dev.idem.ledger.TrailLine;
import dev.idem.sql.EntryRow;
import dev.idem.sql.Micros;
import dev.idem.sql.TrailChange;
import dev.idem.sql.TrailLines;
import dev.idem.sql.TrailState;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The trails of entries. Each is bounded: a long one keeps its first lines and its newest. */
final class TrailTable {
    static final int FIRST_LINES = 20;
    static final int NEWEST_LINES = 480;

    private final SqliteConnection sqlite;
    private final boolean on;

    /** Made with {@code on}: whether lines are written; what is there is removed in any case. */
    TrailTable(SqliteConnection sqlite, boolean on) {
        this.sqlite = sqlite;
        this.on = on;
    }

    /** The trail of an entry that was granted for the first time. */
    TrailState first(Fence fence) {
        return new TrailState(fence.number(), 0, on ? TrailChange.first().began() : null, null);
    }

    /** Writes the lines of a change and gives the trail as it is then. */
    TrailState write(TrailState before, TrailChange change) throws SQLException {
        if (!on) {
            return new TrailState(before.origin(), before.lines(), null, null);
        }
        int number = before.lines();
        for (TrailLine line : change.lines()) {
            add(before.origin(), number++, line);
        }
        return new TrailState(before.origin(), number, change.began(), change.ended());
    }

    private void add(long origin, int number, TrailLine line) throws SQLException {
        PreparedStatement insert = sqlite.statement("trail-line");
        insert.setLong(1, origin);
        insert.setInt(2, number);
        insert.setLong(3, Micros.of(line.at()));
        insert.setLong(4, line.fence().number());
        insert.setString(5, line.event());
        insert.setString(6, line.detail());
        insert.executeUpdate();
        if (number >= FIRST_LINES + NEWEST_LINES) {
            PreparedStatement shorten = sqlite.statement("shorten-trail");
            shorten.setLong(1, origin);
            shorten.setInt(2, number - NEWEST_LINES);
            shorten.executeUpdate();
        }
    }

    void remove(TrailState trail) throws SQLException {
        if (trail.lines() > 0) {
            remove(trail.origin());
        }
    }

    private void remove(long origin) throws SQLException {
        PreparedStatement remove = sqlite.statement("remove-trail");
        remove.setLong(1, origin);
        remove.executeUpdate();
    }

    void keepForgotten(Address address, TrailState trail, Instant until) throws SQLException {
        if (trail.lines() == 0) {
            return;
        }
        PreparedStatement forgotten = sqlite.statement("forgotten");
        Finding.bind(forgotten, address);
        forgotten.setLong(4, trail.origin());
        forgotten.setLong(5, Micros.of(until));
        forgotten.executeUpdate();
    }

    /** Removes trails that were kept long enough and says how many. */
    int dropForgotten(Instant now, int limit) throws SQLException {
        record Kept(Address address, long origin) {}
        List<Kept> due = new ArrayList<>();
        PreparedStatement select = sqlite.statement("due-forgotten");
        select.setLong(1, Micros.of(now));
        select.setInt(2, limit);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                due.add(new Kept(
                        new Address(rows.getString(3), rows.getString(2), rows.getString(1)), rows.getLong(4)));
            }
        }
        for (Kept kept : due) {
            PreparedStatement remove = sqlite.statement("remove-forgotten");
            Finding.bind(remove, kept.address());
            remove.setLong(4, kept.origin());
            remove.executeUpdate();
            remove(kept.origin());
        }
        return due.size();
    }

    /** The whole trail: what was written, and what the entry itself tells. */
    static List<TrailLine> read(SqliteConnection sqlite, Address address) throws SQLException {
        sqlite.run("begin-reading");
        try {
            List<TrailLine> lines = written(sqlite, address);
            EntryRow entry = Finding.byAddress(sqlite, address);
            if (entry != null) {
                lines.addAll(TrailLines.untold(entry));
            }
            return lines;
        } finally {
            sqlite.run("commit");
        }
    }

    private static List<TrailLine> written(SqliteConnection sqlite, Address address) throws SQLException {
        List<TrailLine> lines = new ArrayList<>();
        PreparedStatement select = sqlite.statement("trail");
        Finding.bind(select, address);
        try (ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                lines.add(new TrailLine(
                        Micros.instant(rows.getLong(1)),
                        new Fence(rows.getLong(2)),
                        rows.getString(3),
                        rows.getString(4)));
            }
        }
        return lines;
    }
}
